cat > t.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void *work(void *p) { return p; }
int main(void) {
    pthread_t threads[8];
    for (long i = 0; i < 8; i++)
        if (pthread_create(&threads[i], 0, work, (void *)i)) return 1;
    for (long i = 0; i < 8; i++) {
        void *p;
        if (pthread_join(threads[i], &p) || (long)p != i) return 2;
    }
    if (system("true")) return 3;
    puts("fine");
    return 0;
}
C
"$1" -O0 -pthread -o t t.c
./t
