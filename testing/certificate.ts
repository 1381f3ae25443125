import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Writes a key and a self-signed certificate, valid for two days, to key.pem and certificate.pem in a folder, and returns both. `names` are
 * the names of the server, such as `DNS:localhost,IP:127.0.0.1`; the default subject is `CN=test`. Needs openssl: see needs.ts.
 */
export async function createCertificate(
  folder: string,
  names: string,
  subject = '/CN=test',
): Promise<{ key: string; certificate: string }> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const naming = ['-subj', subject, '-addext', `subjectAltName=${names}`]
  await promisify(execFile)('openssl', ['req', ...kind, ...naming, '-keyout', key, '-out', certificate])
  return { key: await readFile(key, 'utf8'), certificate: await readFile(certificate, 'utf8') }
}
