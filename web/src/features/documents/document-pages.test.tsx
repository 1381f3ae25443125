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

const answering = (name: string, markdown: string | null) =>
  fakeServer({ [`GET /api/documents/${name}`]: () => ({ body: { markdown } }) })

describe.each(pages)('the page %s', (name, DocumentPage, ownHeading) => {
  it('has a text of its own where the operator gave none', async () => {
    answering(name, null)
    renderAt(`/${name}`, <DocumentPage />)
    expect(await screen.findByRole('heading', { name: ownHeading })).toBeVisible()
  })

  it('has a text of its own where the server cannot be asked', async () => {
    fakeServer({})
    renderAt(`/${name}`, <DocumentPage />)
    expect(await screen.findByRole('heading', { name: ownHeading })).toBeVisible()
  })

  it("shows the operator's text instead", async () => {
    answering(name, '# House rules\nAsk **Nadia** or [write](mailto:help@example.org).\n\n- one\n- two')
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
    answering('terms', text)
    const { container } = renderAt('/terms', <TermsPage />)
    expect(await screen.findByText(text.replace(/^[#-] /, ''))).toBeVisible()
    expect(container.querySelector('script, img, iframe, b')).toBeNull()
  })

  it.each(['[go](javascript:alert(1))', '[go](data:text/html,harm)', '[go](JaVaScRiPt:alert(1))'])(
    'never becomes a link that runs something: %s',
    async (text) => {
      answering('terms', text)
      renderAt('/terms', <TermsPage />)
      expect(await screen.findByText(text)).toBeVisible()
      expect(screen.queryByRole('link', { name: 'go' })).toBeNull()
    },
  )
})
