// The public name of a form, in the address of its page: base64url of the tenant's number and the form's id. It says which form, and is no secret.

const idBytes = 12;
const mostBytes = 7 + idBytes;

export function formKeyOf(tenantId: number, formId: string): string {
  const digits = tenantId.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0') + formId, 'hex').toString('base64url');
}

/** Undefined for what no form is called. One form has one name. */
export function parseFormKey(key: string): { tenantId: number; formId: string } | undefined {
  const bytes = Buffer.from(key, 'base64url');
  if (bytes.length <= idBytes || bytes.length > mostBytes) return undefined;
  const tenantId = Number.parseInt(bytes.toString('hex', 0, bytes.length - idBytes), 16);
  const formId = bytes.toString('hex', bytes.length - idBytes);
  if (!Number.isSafeInteger(tenantId) || formKeyOf(tenantId, formId) !== key) return undefined;
  return { tenantId, formId };
}
