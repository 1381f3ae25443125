import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fakeServer } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { PrivacyPage, SupportPage, TermsPage } from './document-pages.tsx'

const pages = [
  ['terms', TermsPage, 'Using it'],
  ['privacy', PrivacyPage, 'What is stored'],
  ['support', SupportPage, 'Before you ask'],
] as const

const serveDocument = (name: string, markdown: string | null) =>
  fakeServer({ [`GET /api/documents/${name}`]: () => ({ body: { markdown } }) })

describe.each(pages)('the page %s', (name, DocumentPage, ownHeading) => {
  it('shows its default text where the operator gave none', async () => {
    serveDocument(name, null)
    renderAt(`/${name}`, <DocumentPage />)
    expect(await screen.findByRole('heading', { name: ownHeading })).toBeVisible()
  })

  it('shows its default text where the server cannot be reached', async () => {
    fakeServer({})
    renderAt(`/${name}`, <DocumentPage />)
    expect(await screen.findByRole('heading', { name: ownHeading })).toBeVisible()
  })

  it("shows the operator's text instead", async () => {
    serveDocument(name, '# House rules\nAsk **Nadia** or [write](mailto:help@example.org).\n\n- one\n- two')
    renderAt(`/${name}`, <DocumentPage />)
    expect(await screen.findByRole('heading', { name: 'House rules' })).toBeVisible()
    expect(screen.getByText('Nadia').tagName).toBe('STRONG')
    expect(screen.getByRole('link', { name: 'write' })).toHaveAttribute('href', 'mailto:help@example.org')
    expect(screen.getAllByRole('listitem')).toHaveLength(2)
    expect(screen.queryByRole('heading', { name: ownHeading })).toBeNull()
  })
})

describe("an operator's text", () => {
  it.each([
    '<script>window.harm = 1</script>',
    '<img src="x" onerror="window.harm = 1">',
    '# <iframe src="https://example.org"></iframe>',
    '- <b onclick="harm()">item</b>',
  ])('never becomes markup: %s', async (text) => {
    serveDocument('terms', text)
    const { container } = renderAt('/terms', <TermsPage />)
    expect(await screen.findByText(text.replace(/^[#-] /, ''))).toBeVisible()
    expect(container.querySelector('script, img, iframe, b')).toBeNull()
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,harm',
    'JaVaScRiPt:alert(1)',
    'vbscript:harm',
    'blob:harm',
    'file:///etc',
    '\u0001javascript:alert(1)',
    'java\u0000script:alert(1)',
    'https:javascript:alert(1)',
    '/\u200B/host.example',

    '//host.example',
    '///host.example',
    '/\\host.example',
    '/\\/host.example',
    '/\u0000/host.example',
    '\\\\host.example',
    'https:host.example',
    'https:/host.example',
    'https:\\\\host.example',
    'http://here@host.example',
    'https://',
    'https://host.example\u202Egro.erom',
    '/terms/..//host.example\u0007',
    '/./\\host.example',
  ])('never becomes a link that runs a script or disguises its host: %j', async (address) => {
    serveDocument('terms', `Before [go](${address}) after`)
    renderAt('/terms', <TermsPage />)
    expect(await screen.findByText(/Before/)).toBeVisible()
    expect(screen.queryByRole('link')).toBeNull()
  })

  it.each(['/', '/\t/host.example', '/\n/host.example'])(
    'keeps a path a path where white space hides in it: %j',
    async (path) => {
      serveDocument('terms', `[go](${path})`)
      renderAt('/terms', <TermsPage />)
      await screen.findByText(/go/)
      const link = screen.queryByRole<HTMLAnchorElement>('link')
      expect(new URL(link?.href ?? '/', window.location.href).origin).toBe(window.location.origin)
    },
  )

  it.each([
    ['/support', '/support'],
    ['/upload?from=terms#top', '/upload?from=terms#top'],
    ['https://intranet.example/rules', 'https://intranet.example/rules'],
    ['http://192.0.2.7:8080/', 'http://192.0.2.7:8080/'],
    ['mailto:help@example.org', 'mailto:help@example.org'],
  ])('links to %s', async (address, href) => {
    serveDocument('terms', `[go](${address})`)
    renderAt('/terms', <TermsPage />)
    expect(await screen.findByRole('link', { name: 'go' })).toHaveAttribute('href', href)
  })
})
