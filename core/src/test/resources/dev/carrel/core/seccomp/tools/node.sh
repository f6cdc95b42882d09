cat > t.js <<'J'
const { Worker, isMainThread, parentPort } = require('worker_threads');
const fs = require('fs'), http = require('http'), os = require('os');
if (!isMainThread) {
  parentPort.postMessage('worker');
} else {
  const worker = new Worker(__filename);
  worker.once('message', () => {
    os.networkInterfaces();
    fs.writeFileSync('x', require('child_process').execSync('echo fine'));
    const server = http.createServer((q, r) => fs.createReadStream('x').pipe(r));
    server.listen(0, '127.0.0.1', () =>
      http.get({ host: '127.0.0.1', port: server.address().port, agent: false }, (r) => {
        r.pipe(process.stdout);
        r.on('end', () => server.close());
      }));
  });
}
J
UV_USE_IO_URING=1 "$1" t.js
