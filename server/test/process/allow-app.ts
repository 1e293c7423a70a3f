// What a person does in a browser when an app asks for access: signs in with the link from the banner, and allows it.
import { fieldsOf } from '../oauth.js';
import type { Service } from './service.js';

/** Returns the code in the redirect to the app. */
export async function allowApp(service: Service, authorizeUrl: string): Promise<string> {
  const jar = new Map<string, string>();
  const visit = async (url: string, form?: Record<string, string>) => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; '), origin: service.url },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    return { to: location === null ? url : new URL(location, url).href, text: await response.text() };
  };
  const link = /^ {2}Sign in {3}(http\S+)$/m.exec(service.stdout())?.[1] ?? '';
  const signIn = await visit(link);
  await visit(`${service.url}/oauth/link`, fieldsOf(signIn.text));
  let page = await visit(authorizeUrl);
  while (!page.text.includes('name="decision"')) {
    if (page.to === authorizeUrl) throw new Error(`There is nothing to decide on: ${page.text}`);
    page = await visit(page.to);
  }
  let back = await visit(page.to, { ...fieldsOf(page.text), decision: 'allow' });
  for (let steps = 0; back.to.startsWith(service.url) && steps < 5; steps++) back = await visit(back.to);
  const code = new URL(back.to).searchParams.get('code');
  if (code === null) throw new Error(`Allowing leads to ${back.to}`);
  return code;
}
