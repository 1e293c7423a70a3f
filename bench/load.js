// The load: keep-alive connections that each send the next request when the response has arrived. A separate process, so that
// client and server do not share an event loop; raw sockets, because an HTTP client would cost more than the server.
import { connect } from 'node:net';

const { url, token, connections, seconds, paths } = JSON.parse(process.argv[2] ?? '{}');
const { hostname, port, pathname, search } = new URL(url);
const authorization = token ? `Authorization: Bearer ${token}\r\n` : '';
// In turn, if there are several.
const requests = (paths ?? [pathname + search]).map((/** @type {string} */ path) =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${authorization}\r\n`),
);
let next = 0;

let answered = 0;
let refused = 0;
/** @type {number[]} */
const took = [];

function open() {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let head = '';
  let missing = 0; // of the body that is being read
  let sentAt = 0;
  const send = () => {
    sentAt = performance.now();
    socket.write(requests[next++ % requests.length]);
  };
  socket.on('connect', send);
  socket.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  socket.on('data', (chunk) => {
    if (missing > 0) missing -= chunk.length;
    else {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1];
      if (!head.startsWith('HTTP/1.1 200 ')) refused++;
      missing = Number(length) - (head.length - end - 4);
      head = '';
    }
    if (missing > 0) return;
    answered++;
    took.push(performance.now() - sentAt);
    send();
  });
}

const start = performance.now();
for (let i = 0; i < connections; i++) open();
setTimeout(() => {
  const elapsed = (performance.now() - start) / 1000;
  const p99 = took.sort((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0;
  process.stdout.write(`${JSON.stringify({ perSecond: answered / elapsed, answered, refused, p99 })}\n`, () =>
    process.exit(0),
  );
}, seconds * 1000);
