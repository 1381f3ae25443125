import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { sendRequest } from './send-request.ts'

/** Starts an https server with a self-signed certificate. */
async function startSelfSignedServer(): Promise<{ url: string; ca: string }> {
  const folder = await temporaryFolder()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const options = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  await promisify(execFile)('openssl', ['req', ...options, ...subject, '-keyout', key, '-out', cert])
  const ca = await readFile(cert, 'utf8')
  const server = createServer({ key: await readFile(key), cert: ca }, (_, response) => response.end('{}'))
  server.listen(0, 'localhost')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `https://localhost:${(server.address() as AddressInfo).port}/`, ca } // a TCP server's
}

test('trusts only the given certificate authority', async () => {
  const { url, ca } = await startSelfSignedServer()
  const request = { method: 'GET', url, timeoutMs: 10_000, maxResponseBytes: 1000 } as const
  await expect(sendRequest({ ...request, access: { isHttpAllowed: false, ca } })).resolves.toMatchObject({
    status: 200,
  })
  await expect(sendRequest({ ...request, access: { isHttpAllowed: false } })).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('self-signed certificate'),
  })
})
