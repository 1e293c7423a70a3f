import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

interface SlowRequest {
  socket: Socket;
  received: () => string;
  closed: Promise<void>;
}

export const slowBody = JSON.stringify({ name: 'Sent slowly' });
/** The part that `beginSlowly` has sent. */
export const sentOfBody = 5;

/** Creates a list, but has sent only the head and a little of the body so far. */
export async function beginSlowly(url: string, token: string): Promise<SlowRequest> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  socket.write(
    `POST /v2/lists HTTP/1.1\r\nHost: rapport\r\nAuthorization: Bearer ${token}\r\n` +
      `Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${slowBody.length}\r\n\r\n${slowBody.slice(0, sentOfBody)}`,
  );
  // The request is in flight once the service has read its head, and acknowledged it.
  while (!text.includes('100 Continue')) await once(socket, 'data');
  text = '';
  return { socket, received: () => text, closed };
}
