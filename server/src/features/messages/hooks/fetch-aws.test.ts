import { describe, expect, it } from 'vitest';
import { fetchAws } from './fetch-aws.js';

const url = 'https://sns.eu-central-1.amazonaws.com/x.pem';

function answering(...answers: (() => Response)[]) {
  const calls: { url: string; init: RequestInit }[] = [];
  const aws = fetchAws(async (asked, init) => {
    calls.push({ url: String(asked), init: init ?? {} });
    return (answers[Math.min(calls.length, answers.length) - 1] as () => Response)();
  });
  return { aws, calls };
}

describe('AWS', () => {
  it('is asked once for a certificate, without following it elsewhere', async () => {
    const { aws, calls } = answering(() => new Response('PEM'));
    expect(await Promise.all([aws.fetchCertificate(url), aws.fetchCertificate(url)])).toEqual(['PEM', 'PEM']);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.init).toMatchObject({ redirect: 'error', signal: expect.any(AbortSignal) });
  });

  it('is asked again after a failure', async () => {
    const { aws, calls } = answering(
      () => new Response('no', { status: 500 }),
      () => new Response('PEM'),
    );
    await expect(aws.fetchCertificate(url)).rejects.toThrow('AWS answered 500.');
    expect(await aws.fetchCertificate(url)).toBe('PEM');
    expect(calls).toHaveLength(2);
  });

  it('is given only a limited time', async () => {
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(16 * 1024)),
        }),
      );
    await expect(answering(endless).aws.fetchCertificate(url)).rejects.toThrow('too much');
    await expect(answering(endless).aws.visit(url)).rejects.toThrow('too much');
  });

  it('has only a few certificates cached', async () => {
    const { aws, calls } = answering(() => new Response('PEM'));
    for (let i = 0; i < 100; i++) await aws.fetchCertificate(`${url}?${i}`);
    await aws.fetchCertificate(`${url}?99`);
    expect(calls).toHaveLength(100);
    await aws.fetchCertificate(`${url}?0`);
    expect(calls).toHaveLength(101);
  });
});
