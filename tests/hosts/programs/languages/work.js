// A Node program that calls OpenMP on its main thread and on workers.
const { Worker, isMainThread, parentPort } = require('worker_threads');
const { work } = require(process.argv[2]);

let sum = 0;
for (let i = 0; i < 20; ++i) sum += work(50000);
if (isMainThread) {
  console.log(sum);
  const workers = [1, 2, 3].map(() => new Worker(__filename, { argv: [process.argv[2]] }));
  workers.forEach((worker) => worker.on('message', (said) => console.log(said)));
} else {
  parentPort.postMessage(sum);
}
