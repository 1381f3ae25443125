import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Context, Next } from 'koa'
import {
  interfaceLanguages,
  languageCookie,
  parseInterfaceLanguage,
  type InterfaceLanguageCode,
} from '#contract/texts/interface-languages.ts'
import { t } from '#contract/texts/t.ts'
import type { InterfaceTexts } from './interface-texts.ts'
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
  /** The folder built by Vite. */
  root: string
  apiOrigin: string | undefined
  texts: InterfaceTexts
}

const needsJavaScript = t('Awaz needs JavaScript. Please switch it on for this address.')

/**
 * Serves the built web app: hashed assets with a lifetime of one year, and index.html with a new nonce for every other path outside
 * /api. Files are cached in memory together with their compressed form; the whole app is a few megabytes.
 */
export function staticFiles({ root, apiOrigin, texts }: StaticOptions) {
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
    const language = readerLanguage(ctx)
    const script = await texts.scriptOf(language)
    // Deferred scripts, including modules, run in page order, so the texts are loaded before the app starts.
    const scriptTag = script ? `<script defer src="/${script.path}"></script>` : ''
    ctx.body = page.plain
      .toString()
      .replaceAll('__CSP_NONCE__', nonce)
      .replace(
        '<html lang="en" dir="ltr">',
        `<html lang="${language}" dir="${interfaceLanguages[language].direction}">`,
      )
      .replace('<head>', `<head>${origin}${scriptTag}`)
      .replace(needsJavaScript, await texts.say(language, needsJavaScript))
  }

  /** Sends the texts of a language. If they have been corrected since, the current texts are sent, but not as immutable. */
  async function sendTexts(ctx: Context, code: InterfaceLanguageCode) {
    const script = await texts.scriptOf(code)
    if (!script) return
    const isPresent = ctx.path === `/${script.path}`
    sendBytes(ctx, { plain: script.plain, brotli: script.brotli, type: '.js', isImmutable: isPresent })
  }

  function sendAsset(ctx: Context, path: string, { plain, brotli, etag }: Asset) {
    ctx.set('ETag', etag)
    sendBytes(ctx, { plain, brotli, type: extname(path), isImmutable: path.startsWith('assets/') })
  }

  return async function serveStatic(ctx: Context, next: Next) {
    const isPage =
      (ctx.method === 'GET' || ctx.method === 'HEAD') && !/^\/(api|healthz|readyz|metrics)(\/|$)/.test(ctx.path)
    if (!isPage) return next()
    const path = toRelativePath(ctx.path)
    const textsOf = parseInterfaceLanguage(/^texts\/(\w+)-[\w-]+\.js$/.exec(path ?? '')?.[1])
    if (textsOf) return sendTexts(ctx, textsOf)
    const asset = path && path !== 'index.html' ? await load(path) : undefined
    if (asset && path) return sendAsset(ctx, path, asset)
    if (path && /^(assets|texts)\//.test(path)) return next()
    return sendPage(ctx)
  }
}

interface Body {
  plain: Buffer
  brotli: Buffer | undefined
  /** The file extension. */
  type: string
  /** Whether different content would have a different URL. */
  isImmutable: boolean
}

function sendBytes(ctx: Context, { plain, brotli, type, isImmutable }: Body) {
  ctx.set('Cache-Control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  ctx.vary('Accept-Encoding')
  ctx.type = type
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  const isBrotli = brotli && ctx.acceptsEncodings('br', 'identity') === 'br'
  if (isBrotli) ctx.set('Content-Encoding', 'br')
  ctx.body = isBrotli ? brotli : plain
}

/** Returns the language chosen in this browser; if none, the browser's preferred language among those of the interface. */
function readerLanguage(ctx: Context): InterfaceLanguageCode {
  const preferred = ctx.acceptsLanguages(Object.keys(interfaceLanguages))
  return (
    parseInterfaceLanguage(ctx.cookies.get(languageCookie)) ?? parseInterfaceLanguage(preferred || undefined) ?? 'en'
  )
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
