// Mail servers that misbehave: each replies as the test says.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export interface SmtpScript {
  /** Undefined: no greeting. */
  greeting?: string | undefined;
  extensions?: readonly string[];
  /** A reply to a command other than 250; null: none at all. It may also do something to the connection. */
  reply?: (command: string, socket: Socket) => string | null | undefined;
  /** The reply to the message; null: none. */
  taken?: (message: string, socket: Socket) => string | null;
}

export interface ScriptedServer {
  url: string;
  port: number;
  /** All commands that it received, without messages. */
  commands: string[];
  messages: string[];
  sockets: Set<Socket>;
  /** How many connections there have been. */
  connections(): number;
  close(): Promise<void>;
}

export async function scriptedServer(script: SmtpScript = {}): Promise<ScriptedServer> {
  const sockets = new Set<Socket>();
  const [commands, messages]: [string[], string[]] = [[], []];
  let connections = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    converse(socket, script, commands, messages);
  });
  const port = await listen(server);
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `smtp://127.0.0.1:${port}`, port, commands, messages, sockets, connections: () => connections, close };
}

export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function converse(socket: Socket, script: SmtpScript, commands: string[], messages: string[]): void {
  let text = '';
  let isData = false;
  const say = (line: string | null) => {
    if (line !== null && socket.writable) socket.write(`${line}\r\n`);
  };
  if (!('greeting' in script) || script.greeting !== undefined) say(script.greeting ?? '220 test');
  let isRefused = false;
  const answerTo = (command: string) => {
    commands.push(command);
    if (/^(RSET|EHLO)/.test(command)) isRefused = false;
    const reply = script.reply?.(command, socket);
    if (reply !== undefined) {
      if (/^(MAIL|RCPT)/.test(command)) isRefused = true;
      return reply;
    }
    // Like every server with pipelined commands: after a refusal there is nothing to send.
    return isRefused && command === 'DATA' ? '503 5.5.1 No recipients' : usual(command, script.extensions);
  };
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    for (;;) {
      const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n');
      if (end < 0) return;
      const said = text.slice(0, end);
      text = text.slice(end + (isData ? 5 : 2));
      if (isData) {
        isData = false;
        messages.push(said);
        say(script.taken ? script.taken(said, socket) : '250 2.0.0 Ok: queued as 4AB');
      } else {
        const answer = answerTo(said);
        isData = answer?.startsWith('354') ?? false;
        say(answer);
      }
    }
  });
}

function usual(command: string, extensions: readonly string[] = ['PIPELINING']): string {
  const verb = command.slice(0, 4);
  if (verb === 'EHLO')
    return ['test', ...extensions].map((line, i) => `250${i < extensions.length ? '-' : ' '}${line}`).join('\r\n');
  if (verb === 'DATA') return '354 go on';
  return verb === 'QUIT' ? '221 bye' : '250 Ok';
}
