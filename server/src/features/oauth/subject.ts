/** Who a token of an app acts for: `<tenantId>.<accountId>`, the `sub` of OpenID Connect. */
export interface Subject {
  tenantId: number;
  accountId: number;
}

export function writeSubject({ tenantId, accountId }: Subject): string {
  return `${tenantId}.${accountId}`;
}

export function readSubject(text: string): Subject | undefined {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(text);
  return match ? { tenantId: Number(match[1]), accountId: Number(match[2]) } : undefined;
}
