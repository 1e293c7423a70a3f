// The write load: keep-alive connections that each send the next POST when the response has arrived. A separate process with
// raw sockets and bodies that are cheap to make: an HTTP client would cost more than the server.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const { url, token, connections, seconds, body, perSecond, prefix, ...events } = JSON.parse(process.argv[2] ?? '{}');
const { hostname, port, pathname } = new URL(url);
const { users = 1, since = 0, session = 1, withIds = true, emailId = '', each = 500, file } = events;
// Bodies that were made before, a line each. The load ends with the last of them.
const lines = file ? readFileSync(file, 'utf8').trim().split('\n') : [];
const authorization = token ? `Authorization: Bearer ${token}\r\n` : '';
const head = `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n${authorization}Content-Type: application/json\r\nContent-Length: `;

let made = 0;
const properties = (/** @type {number} */ n) =>
  `{"first_name":"Ada ${n}","plan":"pro","seats":${n % 100},"company_name":"Analytical Engines","active":true}`;
// A different value each time a user comes round, so that what is set from it changes.
const eventProperties = (/** @type {number} */ n) =>
  `{"format":"csv","rows":${(n + Math.floor(n / users)) % 1000},"source":"dashboard","ok":true}`;
const dateOf = (/** @type {number} */ n) => new Date(since + n * 10).toISOString();
/** @type {Record<string, () => string>} */
const bodies = {
  single: () => {
    const n = made++;
    return `{"email":"${prefix}${n}@example.com","properties":${properties(n)}}`;
  },
  batch: () => {
    const items = [];
    for (let i = 0; i < 1000; i++) {
      const n = made++;
      items.push(`{"email":"${prefix}${n}@example.com","properties":${properties(n)}}`);
    }
    return `{"contacts":[${items.join(',')}]}`;
  },
};
bodies.message = () => {
  const n = made++;
  return `{"emailId":"${emailId}","email":"p${n % 10_000}@example.com","data":{"n":${n},"plan":"pro"},"sendAt":"2099-01-01T00:00:00.000Z"}`;
};
bodies.list = () => `{"name":"${prefix}${made++}"}`;
bodies.events = () => {
  const items = [];
  for (let i = 0; i < each; i++) {
    const n = made++;
    const id = withIds ? `"eventId":"${prefix}${n}",` : '';
    const user = (Math.floor(n / session) * 7919) % users;
    items.push(
      `{${id}"userId":"u${user}","eventName":"report_exported","eventDate":"${dateOf(n)}","eventProperties":${eventProperties(n)}}`,
    );
  }
  return `{"events":[${items.join(',')}]}`;
};
bodies.file = () => /** @type {string} */ (lines[made++]);
const makeBody = /** @type {() => string} */ (bodies[body]);

let answered = 0;
let refused = 0;
/** @type {number[]} */
const took = [];
let stopping = false;
let open = connections;
const start = performance.now();
const intervalMs = perSecond ? (1000 * connections) / perSecond : 0;

/** @param {number} index */
function run(index) {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let text = '';
  let missing = 0;
  // A paced load keeps its own timetable, however long the responses take.
  let due = start + (index / connections) * intervalMs;
  let sentAt = 0;
  function send() {
    const payload = makeBody();
    if (payload === undefined) return finish();
    sentAt = performance.now();
    socket.write(`${head}${Buffer.byteLength(payload)}\r\n\r\n${payload}`);
  }
  function next() {
    if (stopping) return finish();
    due += intervalMs;
    const wait = intervalMs ? due - performance.now() : 0;
    if (wait > 1) setTimeout(() => (stopping ? finish() : send()), wait);
    else send();
  }
  function finish() {
    socket.end();
    if (--open === 0) report();
  }
  socket.on('connect', send);
  socket.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  socket.on('data', (chunk) => {
    if (missing > 0) missing -= chunk.length;
    else {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!text.startsWith('HTTP/1.1 200 ')) refused++;
      missing = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1]) - (text.length - end - 4);
      text = '';
    }
    if (missing > 0) return;
    answered++;
    took.push(performance.now() - sentAt);
    next();
  });
}

function report() {
  const elapsed = (performance.now() - start) / 1000;
  const p99 = took.sort((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0;
  process.stdout.write(`${JSON.stringify({ perSecond: answered / elapsed, answered, refused, elapsed, p99 })}\n`, () =>
    process.exit(0),
  );
}

for (let i = 0; i < connections; i++) run(i);
setTimeout(() => {
  stopping = true;
}, seconds * 1000);
