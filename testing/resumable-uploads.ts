import { createReadStream } from 'node:fs'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { Upload } from 'tus-js-client'
import { api } from '#contract/api.ts'
import type { UnfinishedUpload } from '#contract/endpoints/uploads.ts'
import type { CallResult, TestServer } from './server.ts'

type Bytes = Uint8Array<ArrayBuffer>

export const tusHeader = { 'Tus-Resumable': '1.0.0' }
const partType = 'application/offset+octet-stream'

/** A file to upload in parts. */
export interface FileToUpload {
  name: string
  content: Bytes
}

/** Begins a resumable upload as tus clients do. */
export function beginUpload(
  server: Pick<TestServer, 'call'>,
  token: string,
  { name, size, fingerprint }: { name: string; size: number; fingerprint?: string },
) {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  const metadata = [`filename ${encode(name)}`, ...(fingerprint ? [`fingerprint ${encode(fingerprint)}`] : [])]
  const headers = { ...tusHeader, 'Upload-Length': String(size), 'Upload-Metadata': metadata.join(',') }
  return server.call(api.uploads.create, { token, headers })
}

/** Sends a part of a resumable upload. */
export function sendPart(
  server: Pick<TestServer, 'call'>,
  token: string,
  { id, offset, bytes }: { id: string; offset: number; bytes: Bytes },
): Promise<CallResult<typeof api.uploads.send>> {
  const headers = { ...tusHeader, 'Upload-Offset': String(offset), 'Content-Type': partType }
  return server.call(api.uploads.send, { params: { id }, token, headers, rawBody: bytes })
}

/** Begins an upload and sends the whole file in one part. */
export async function sendWhole(
  server: Pick<TestServer, 'call'>,
  token: string,
  file: FileToUpload,
): Promise<UnfinishedUpload> {
  const { data: upload } = await beginUpload(server, token, { name: file.name, size: file.content.length })
  const sent = await sendPart(server, token, { id: upload.id, offset: 0, bytes: file.content })
  if (sent.status !== 204) throw new Error(`The part was answered with ${sent.status}`)
  return upload
}

interface SentFile {
  name: string
  /** The bytes, or the path of a file that holds them. */
  content: Uint8Array<ArrayBuffer> | string
  partBytes?: number
  /** Id of an upload that has begun already. */
  id?: string
}

/**
 * Uploads a file with tus-js-client, which resumes at once after each cut, or continues the upload `id`. Resolves with the id of the upload
 * when all bytes have arrived.
 */
export async function uploadWithClient(
  origin: string,
  token: string,
  { name, content, partBytes = Infinity, id }: SentFile,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const file = typeof content === 'string' ? createReadStream(content) : Buffer.from(content.buffer)
  const upload = new Upload(file, {
    endpoint: new URL(api.uploads.create.path, origin).href,
    headers: { Authorization: `Bearer ${token}` },
    metadata: { filename: name },
    chunkSize: partBytes,
    uploadUrl: id ? new URL(`${api.uploads.create.path}/${id}`, origin).href : null,
    retryDelays: Array<number>(100).fill(50),
    storeFingerprintForResuming: false,
    onSuccess: () => resolve(),
    onError: reject,
  })
  upload.start()
  await promise
  return upload.url?.split('/').at(-1) ?? ''
}

/** A proxy whose connections break. */
export interface CuttingProxy {
  url: string
  /** How many connections were cut. */
  cuts: () => number
  /** Bytes that the clients sent. */
  sentBytes: () => number
  close: () => void
}

/** Relays bytes to a server and cuts a connection after each of these numbers of bytes; later connections stay open. */
export async function startCuttingProxy(target: string, cutAfterBytes: number[]): Promise<CuttingProxy> {
  const pending = [...cutAfterBytes]
  let cuts = 0
  let sentBytes = 0
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(new URL(target).port), '127.0.0.1')
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => void [client.destroy(), server.destroy(), sockets.delete(socket)])
    }
    server.pipe(client)
    client.on('data', (chunk: Buffer) => {
      sentBytes += chunk.length
      const [left] = pending
      if (left === undefined)
        return void (server.write(chunk) || (client.pause(), server.once('drain', () => client.resume())))
      pending[0] = left - chunk.length
      server.write(chunk.subarray(0, left))
      if (left > chunk.length) return undefined
      pending.shift()
      cuts += 1
      client.destroy()
      return void server.end()
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    cuts: () => cuts,
    sentBytes: () => sentBytes,
    close() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
