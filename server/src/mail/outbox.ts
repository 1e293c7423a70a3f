import type { Message, Transport } from './transport.js';

/** Keeps messages instead of sending them: for trying things out, where there is no mail server. */
export function outboxTransport(store: (message: Message) => Promise<void>): Transport {
  return {
    name: 'outbox',
    send: async (message) => {
      await store(message);
      return { reply: 'kept in the outbox' };
    },
    close: () => undefined,
  };
}
