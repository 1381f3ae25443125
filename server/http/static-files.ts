import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Context, Next } from 'koa'
import { makeNonce, pagePolicy } from './security-headers.ts'

const compressible = new Set(['.js', '.css', '.json', '.svg', '.webmanifest', '.txt'])
const compress = promisify(brotliCompress)

interface Asset {
  plain: Buffer
  brotli: Buffer | undefined
  etag: string
  modifiedMs: number
}

interface StaticOptions {
  /** The folder that Vite built. */
  root: string
  apiOrigin: string | undefined
}

/**
 * Serves the built web app: hashed assets with a lifetime of a year, and index.html with a new nonce for every other address outside
 * /api. Files are cached in memory together with their compressed form; the whole app is a few megabytes.
 */
export function staticFiles({ root, apiOrigin }: StaticOptions) {
  const cache = new Map<string, Asset>()

  async function load(path: string): Promise<Asset | undefined> {
    const file = join(root, path)
    const stats = await stat(file).catch(() => undefined)
    if (!stats?.isFile()) return undefined
    const cached = cache.get(path)
    if (cached?.modifiedMs === stats.mtimeMs) return cached
    const plain = await readFile(file)
    const isCompressed = compressible.has(extname(path)) && plain.length > 1024
    const brotli = isCompressed ? await compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }) : undefined
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
    const asset = { plain, brotli, etag, modifiedMs: stats.mtimeMs }
    cache.set(path, asset)
    return asset
  }

  async function sendPage(ctx: Context) {
    const page = await load('index.html')
    if (!page) {
      ctx.status = 503
      ctx.body = 'The web app is not built yet. Run: npm start'
      return
    }
    const nonce = makeNonce()
    const origin = apiOrigin ? `<meta name="api-origin" content="${apiOrigin}" />` : ''
    ctx.set('Content-Security-Policy', pagePolicy(nonce, apiOrigin))
    ctx.type = 'html'
    ctx.body = page.plain.toString().replaceAll('__CSP_NONCE__', nonce).replace('<head>', `<head>${origin}`)
  }

  function sendAsset(ctx: Context, path: string, asset: Asset) {
    const isHashed = path.startsWith('assets/')
    ctx.set('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    ctx.set('ETag', asset.etag)
    ctx.vary('Accept-Encoding')
    ctx.type = extname(path)
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
      return
    }
    const isBrotli = asset.brotli && ctx.acceptsEncodings('br', 'identity') === 'br'
    if (isBrotli) ctx.set('Content-Encoding', 'br')
    ctx.body = isBrotli ? asset.brotli : asset.plain
  }

  return async function serveStatic(ctx: Context, next: Next) {
    const isPage =
      (ctx.method === 'GET' || ctx.method === 'HEAD') && !/^\/(api|healthz|readyz|metrics)(\/|$)/.test(ctx.path)
    if (!isPage) return next()
    const path = toRelativePath(ctx.path)
    const asset = path && path !== 'index.html' ? await load(path) : undefined
    if (asset && path) return sendAsset(ctx, path, asset)
    if (path?.startsWith('assets/')) return next()
    return sendPage(ctx)
  }
}

/** Returns the path inside the root, or undefined for one outside it. */
function toRelativePath(path: string): string | undefined {
  try {
    const relative = normalize(decodeURIComponent(path)).replace(/^[/\\]+/, '')
    const isOutside =
      relative.startsWith('..') || relative.includes('\0') || relative.split(sep).some((part) => part.startsWith('.'))
    return isOutside ? undefined : relative
  } catch {
    return undefined
  }
}
