import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'koa'
import { EncodedJson } from './encoded-json.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Smaller responses fit into one or two packets whatever is done to them. */
const minCompressedBytes = 2_048
/** Takes about as long as gzip and leaves a quarter less. */
const brotliQuality = 5

/**
 * Sends an object as JSON, compressed where it is large and the client takes it. Not for responses that a browser requests with a cookie:
 * another site could guess their content by their size (BREACH).
 */
export async function sendJson(ctx: Context, value: object): Promise<void> {
  const json = value instanceof EncodedJson ? value.bytes : Buffer.from(JSON.stringify(value))
  ctx.type = 'json'
  ctx.vary('Accept-Encoding')
  const encoding = json.length < minCompressedBytes ? undefined : chooseEncoding(ctx)
  if (encoding) ctx.set('Content-Encoding', encoding)
  ctx.body = await encode(json, encoding)
}

type Encoding = 'br' | 'gzip' | undefined

/** Brotli wherever it is taken: browsers name gzip first. */
function chooseEncoding(ctx: Context): Encoding {
  return (['br', 'gzip'] as const).find((encoding) => ctx.acceptsEncodings(encoding, 'identity') === encoding)
}

async function encode(json: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'br') return compressBrotli(json, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
  return encoding === 'gzip' ? compressGzip(json) : json
}
