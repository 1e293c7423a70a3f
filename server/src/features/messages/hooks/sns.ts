// Amazon SNS: verifies that AWS signed a message.
// https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
import { verify, X509Certificate } from 'node:crypto';
import { type Fields, NotGenuine } from './reading.js';

/** The requests to AWS that a reader needs. Both are only made to addresses of SNS itself. */
export interface Aws {
  /** The certificate at this address, as PEM. */
  fetchCertificate(url: string): Promise<string>;
  /** Opens the URL, which confirms a subscription. */
  visit(url: string): Promise<void>;
}

/** `https://sns.<region>.amazonaws.com/…`, in China with `.cn`; without a port or user. */
export function isSnsUrl(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > 2000 || !URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password } = new URL(text);
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '') return false;
  return /^sns\.[a-z]{2,8}(?:-[a-z]{2,12}){1,3}-\d{1,2}\.amazonaws\.com(?:\.cn)?$/.test(hostname);
}

const algorithms: Readonly<Record<string, string>> = { 1: 'sha1', 2: 'sha256' };
const ofNotification = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const ofConfirmation = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

/** Throws NotGenuine unless AWS signed the message. */
export async function checkSnsSignature(message: Fields, aws: Pick<Aws, 'fetchCertificate'>, now: Date): Promise<void> {
  const { Signature: signature, SignatureVersion: version, SigningCertURL: url } = message;
  const algorithm = Object.hasOwn(algorithms, String(version)) ? algorithms[String(version)] : undefined;
  if (typeof signature !== 'string' || algorithm === undefined) throw new NotGenuine('The signature is missing.');
  if (!isSnsUrl(url) || !new URL(url).pathname.endsWith('.pem')) throw new NotGenuine('Not a certificate of SNS.');
  const certificate = readCertificate(await aws.fetchCertificate(url), now);
  if (!verify(algorithm, Buffer.from(textToSign(message)), certificate.publicKey, Buffer.from(signature, 'base64')))
    throw new NotGenuine('Wrong signature.');
}

function readCertificate(pem: string, now: Date): X509Certificate {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    throw new NotGenuine('The certificate cannot be read.');
  }
  const { validFrom, validTo } = certificate;
  if (!(Date.parse(validFrom) <= now.getTime() && now.getTime() <= Date.parse(validTo)))
    throw new NotGenuine('The certificate is not valid now.');
  return certificate;
}

function textToSign(message: Fields): string {
  const keys = message.Type === 'Notification' ? ofNotification : ofConfirmation;
  let text = '';
  for (const key of keys) {
    const value = message[key];
    // Only the subject may be missing.
    if (typeof value === 'string') text += `${key}\n${value}\n`;
    else if (key !== 'Subject') throw new NotGenuine(`${key} is missing.`);
  }
  return text;
}
