// The baseline for a start: an empty Fastify, which tells its parent when it listens.
import Fastify from 'fastify';

const app = Fastify();
app.get('/readyz', async () => ({}));
process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
process.once('disconnect', () => process.exit(0));
