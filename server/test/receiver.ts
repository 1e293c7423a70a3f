// A webhook receiver for tests: a real HTTP server on loopback that keeps what it receives.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

interface Received {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

type Answer = (request: Received, response: ServerResponse) => void;

const fine: Answer = (_request, response) => response.end('{"ok":true}');

class Receiver {
  readonly received: Received[] = [];
  answer: Answer = fine;
  private server: Server | undefined;

  constructor(private readonly host = '127.0.0.1') {}

  get port(): number {
    const address = this.server?.address() as AddressInfo | undefined;
    return address?.port ?? 0;
  }

  get url(): string {
    return `http://${this.host}:${this.port}/hook`;
  }

  reset(): void {
    this.received.length = 0;
    this.answer = fine;
  }

  /** The received bodies, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  get told(): any[] {
    return this.received.map(({ body }) => JSON.parse(body));
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => void this.take(request, response));
    await new Promise<void>((resolve) => server.listen(0, this.host, resolve));
    this.server = server;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = request;
    const body = Buffer.concat(chunks).toString();
    const received = { method, path, headers: headers as Record<string, string>, body };
    this.received.push(received);
    this.answer(received, response);
  }
}

/** A receiver for the tests of a file. */
export function useReceiver(host?: string): Receiver {
  const receiver = new Receiver(host);
  beforeAll(() => receiver.start());
  afterAll(() => receiver.stop());
  return receiver;
}
