import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

/** A document as one string in memory, from a bare server: the least that handing it out takes. */
const document = readFileSync(process.env['BENCH_DOCUMENT'] ?? '', 'utf8');
const app = Fastify({ logger: false });
app.get('/document', (_, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(document));
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
process.stdout.write(`${JSON.stringify({ ready: true, port: typeof address === 'object' ? address?.port : 0 })}\n`);
process.on('SIGTERM', () => void app.close());
