// Ports of servers that die and come back. While one is down, the kernel may give its port to an outgoing connection of somebody else, and then
// the server cannot listen again. So these lie below the ports that the kernel gives away.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';

const lowest = 12_000;
// Where the kernel does not say otherwise.
const usualStart = 32_768;

/** @type {Set<number>} */
const given = new Set();

/** A port on the loopback interface that no connection goes out from. */
export async function lastingPort() {
  const end = await startOfOutgoing();
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (end - lowest));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

/** @param {number} count */
export async function lastingPorts(count) {
  const ports = [];
  for (let i = 0; i < count; i++) ports.push(await lastingPort());
  return /** @type {[number, number, number, number, number]} */ (ports);
}

async function startOfOutgoing() {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '');
  const start = Number.parseInt(range, 10);
  return start > lowest ? start : usualStart;
}

/** @param {number} port */
async function isFree(port) {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
