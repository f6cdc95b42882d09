cat > t.py <<'P'
import multiprocessing, socket, subprocess, threading

def double(x):
    return 2 * x

if __name__ == '__main__':
    with multiprocessing.get_context('forkserver').Pool(2) as pool:
        assert pool.map(double, [1, 2]) == [2, 4]
    thread = threading.Thread(target=double, args=(1,))
    thread.start()
    thread.join()
    a, b = socket.socketpair()
    print(subprocess.check_output(['echo', 'fine'], text=True).strip())
P
"$1" t.py
