// Vitest reporter: fails the run if a test passed only at its second try, unless tried-twice.json gives a reason for it. The retry keeps one
// stall of the machine from hiding the results of all other tests; it is no licence for flaky tests.
import { existsSync, readFileSync } from 'node:fs';
import type { Reporter, TestCase } from 'vitest/node';

interface Excuse {
  /** Relative to the root of the project. A path that ends with a slash is a folder. */
  file: string;
  /** The full name, including its groups; without one it is any test of the file. */
  name?: string;
  /** More than this many in a run are a failure. */
  most?: number;
  reason: string;
}

const list = new URL('tried-twice.json', import.meta.url);
const root = new URL('../../', import.meta.url);

export default class TriedTwice implements Reporter {
  private readonly excuses: Excuse[] = JSON.parse(readFileSync(list, 'utf8'));
  private readonly flaky: string[] = [];
  private readonly excused = new Map<Excuse, string[]>();

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    const file = test.module.relativeModuleId;
    const why =
      test.result().errors?.map(({ message }) => `    ${message.split('\n').slice(0, 12).join('\n    ')}`) ?? [];
    const told = [`${file} > ${test.fullName}`, ...why].join('\n');
    const excuse = this.excuses.find(
      (each) =>
        (each.file.endsWith('/') ? file.startsWith(each.file) : file === each.file) &&
        (each.name === undefined || each.name === test.fullName),
    );
    if (!excuse) this.flaky.push(told);
    else this.excused.set(excuse, [...(this.excused.get(excuse) ?? []), told]);
  }

  onTestRunEnd(): void {
    const gone = this.excuses.filter(({ file }) => !existsSync(new URL(file, root)));
    for (const { file } of gone) say(`tried-twice.json names ${file}, which does not exist.`);
    for (const [excuse, tests] of this.excused) {
      say(
        `Passed only at the second try, which has a reason:\n${tests.map((test) => `  ${test}\n`).join('')}  ${excuse.reason}`,
      );
      if (tests.length > (excuse.most ?? Number.POSITIVE_INFINITY)) this.flaky.push(...tests);
    }
    if (this.flaky.length > 0)
      say(
        `Passed only at the second try:\n${this.flaky.map((test) => `  ${test}\n`).join('')}` +
          'Make it wait for what it needs, or name it with a reason in server/test/tried-twice.json.',
      );
    if (gone.length > 0 || this.flaky.length > 0) process.exitCode = 1;
  }
}

function say(text: string): void {
  process.stderr.write(`\n${text}\n`);
}
