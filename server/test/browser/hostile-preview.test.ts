import { expect, it } from 'vitest';
import { describeInBrowser, newEmail, previewOf, useConsole, page as whole } from './console.js';

const t = useConsole();

const attempts = `
<meta http-equiv="refresh" content="0;url=/console/taken-over">
<base href="http://attacker.invalid/" target="_top">
<style>p.styled { color: rgb(1, 2, 3); }</style>
<script>top.document.title = 'taken over'; parent.taken = true; fetch('/v2/emails?by=script')</script>
<script src="/console/assets/by-script.js"></script>
<img src="data:," onerror="parent.taken = true; fetch('/v2/emails?by=onerror')">
<svg onload="parent.taken = true"></svg>
<iframe src="/console/emails?by=frame"></iframe>
<iframe srcdoc="&lt;script&gt;top.taken = true&lt;/script&gt;"></iframe>
<object data="/console/emails?by=object"></object>
<embed src="/console/emails?by=embed">
<link rel="stylesheet" href="/console/assets/by-link.css">
<p class="styled" style="font-size: 33px">Styled</p>
<p><a id="script-link" href="javascript:void(parent.taken = true)">script link</a></p>
<p><a id="top-link" href="/console/taken-over" target="_top">top link</a></p>
<p><a id="new-link" href="/console/taken-over" target="_blank">new window</a></p>
<form action="/v2/emails" method="post" target="_top"><button id="send">send</button></form>
`;

describeInBrowser('HTML that is hostile to the preview', () => {
  it('is shown with its styles, and reaches neither the console nor the API', async () => {
    const email = await newEmail(t, { html: whole(attempts) });
    // What the sandbox blocks is reported on the console, which is expected here.
    const page = await t.openSignedOut(email.editorUrl, { expects: /./ });
    const asked: string[] = [];
    // By responses: what a policy blocks is also announced as a request, but never leaves the browser.
    page.on('response', (response) => {
      const request = response.request();
      const { pathname, search } = new URL(request.url());
      // The console's own files may have such names.
      const isOfThem = /by-|by=|taken-over/.test(request.url()) && !pathname.startsWith('/console/assets/');
      if (request.frame() !== page.mainFrame() || isOfThem) asked.push(`${request.method()} ${pathname}${search}`);
    });
    await t.signIn(page);
    const frame = previewOf(page);
    await frame.getByText('Styled').waitFor();

    for (const id of ['script-link', 'top-link', 'new-link', 'send'])
      await frame.locator(`#${id}`).click({ noWaitAfter: true, timeout: 3000 });
    await page.waitForTimeout(500);

    const styles = await frame.getByText('Styled').evaluate((element) => {
      // biome-ignore lint/suspicious/noExplicitAny: runs in the browser, where other names are known
      const { fontSize, color } = (globalThis as any).getComputedStyle(element);
      return { fontSize, color };
    });
    expect(styles).toEqual({ fontSize: '33px', color: 'rgb(1, 2, 3)' });
    expect(await page.evaluate('window.taken')).toBeUndefined();
    expect(await page.title()).toBe(`${email.name} · Rapport`);
    expect(page.url()).toBe(email.editorUrl);
    expect(page.context().pages()).toHaveLength(1);
    expect(new Set(asked)).toEqual(new Set(['POST /console/preview']));
    await page.getByRole('heading', { level: 1, name: email.name }).waitFor();
  });

  it('is as harmless when somebody posts it into a window of its own', async () => {
    const page = await t.openSignedOut('/console', { expects: /./ });
    const html = `<p id="there">there</p><script>document.title = sessionStorage.getItem('secret') ?? 'ran'</script>`;
    // As text, because it runs in the browser, where other names are known.
    await page.evaluate(`
      sessionStorage.setItem('secret', 'kept');
      const form = Object.assign(document.createElement('form'), { method: 'post', action: '/console/preview' });
      form.append(Object.assign(document.createElement('textarea'), { name: 'html', value: ${JSON.stringify(html)} }));
      document.body.append(form);
      form.submit();
    `);
    await page.locator('#there').waitFor();
    expect(page.url()).toBe(`${t.url}/console/preview`);
    expect(await page.title()).toBe('');
    expect(await page.evaluate('self.origin')).toBe('null');
  });
});
