// `npm run evaluate [-- --url http://127.0.0.1:8080 --token rpt_pat_…] [--stdio]`: replays the recorded tasks against the demo workspace, with the
// official client of the protocol. Without --url it starts a service with demo data of its own.
import { parseArgs } from 'node:util';
import { cleanUp } from '../server/test/process/service.js';
import { connect, demoService } from './evaluate/connect.js';
import { replay } from './evaluate/replay.js';
import { tasks } from './evaluate/tasks.js';

const { values } = parseArgs({
  options: { url: { type: 'string' }, token: { type: 'string' }, stdio: { type: 'boolean', default: false } },
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}

let failed = 0;
try {
  const { url, token = '' } = values.url ? { url: values.url, token: values.token } : await demoService();
  const client = await connect({ url, token, over: values.stdio ? 'stdio' : 'http' });
  for (const [i, task] of tasks.entries()) {
    const { wrong, calls, bytes } = await replay(client, task);
    console.log(
      `${wrong.length === 0 ? 'right' : 'WRONG'}  ${i + 1}. ${task.question} (${calls} calls, ${bytes} bytes)`,
    );
    for (const fact of wrong) console.log(`       ${fact}`);
    if (wrong.length > 0) failed++;
  }
  await client.close();
} finally {
  await cleanUp();
}
console.log(`${tasks.length - failed} of ${tasks.length} tasks are answered.`);
process.exitCode = failed === 0 ? 0 : 1;
