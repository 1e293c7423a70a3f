/**
 * The address of a mail server, without its password. The user may still be typing: anything that could be part of the password is removed, even
 * if it is a port.
 */
export function withoutPassword(url: string): string {
  const [, scheme = '', rest = ''] = /^([a-z]+:\/\/)?(.*)$/is.exec(url) ?? [];
  const at = rest.lastIndexOf('@');
  const user = (at < 0 ? rest : rest.slice(0, at)).split(':')[0] ?? '';
  const host = at < 0 ? '' : rest.slice(at);
  return `${scheme}${user}${isHost.test(host) ? host : ''}`;
}

const isHost = /^@([\w-]+\.)+[\w-]+\.?(:\d*)?\/?$|^@localhost(:\d*)?\/?$/i;
