import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInterfaceTexts } from './interface-texts.ts'
import { staticFiles } from './static-files.ts'

/** The page as Vite builds it: the app's script is a module. */
const page = `<!doctype html>
<html lang="en" dir="ltr"><head><script type="module" src="/assets/app.js"></script></head>
<body><noscript>Awaz needs JavaScript. Please switch it on for this address.</noscript></body></html>`

let root: string
let server: Server
let url: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'awaz-page-'))
  await writeFile(join(root, 'index.html'), page)
  const texts = createInterfaceTexts({ correctionsDir: join(root, 'none'), log: { warn: () => undefined } })
  const app = new Koa().use(staticFiles({ root, apiOrigin: undefined, texts }))
  server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await rm(root, { recursive: true })
})

async function openPage(headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${url}/login`, { headers })
  return response.text()
}

describe('the page', () => {
  test('is English where neither cookie nor browser asks for another language', async () => {
    const asked: Record<string, string>[] = [{}, { 'Accept-Language': 'de, en;q=0.5' }, { Cookie: 'awaz_language=xx' }]
    for (const headers of asked) {
      const html = await openPage(headers)
      expect(html).toContain('<html lang="en" dir="ltr">')
      expect(html).not.toContain('/texts/')
    }
  })

  test.each([
    ['the browser', { 'Accept-Language': 'fa-AF, en;q=0.5' }],
    ['the cookie, whatever the browser says', { Cookie: 'awaz_language=fa', 'Accept-Language': 'ur' }],
  ])('is in the language of %s, and loads its texts before its own scripts', async (_, headers) => {
    const html = await openPage(headers)
    expect(html).toContain('<html lang="fa" dir="rtl">')
    const texts = html.indexOf('<script defer src="/texts/fa-')
    expect(texts).toBeGreaterThan(0)
    expect(texts).toBeLessThan(html.indexOf('<script type="module"'))
    expect(html).not.toContain('Awaz needs JavaScript')
  })

  test('loads texts that a browser may keep for good', async () => {
    const [, path = ''] = /src="(\/texts\/[^"]+)"/.exec(await openPage({ Cookie: 'awaz_language=ar' })) ?? []
    const script = await fetch(url + path)
    expect(script.headers.get('Cache-Control')).toContain('immutable')
    expect(script.headers.get('Content-Type')).toContain('javascript')
    expect(await script.text()).toMatch(/^globalThis\.awazTexts=\{"language":"ar"/)
  })

  test('finds no texts of a language that is not there, and present ones under an old address, not to be kept', async () => {
    expect((await fetch(`${url}/texts/xx-abc.js`)).status).toBe(404)
    const old = await fetch(`${url}/texts/fa-old.js`)
    expect([old.status, old.headers.get('Cache-Control')]).toEqual([200, 'no-cache'])
  })
})
