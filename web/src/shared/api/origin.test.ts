import { afterEach, expect, it } from 'vitest'
import { readApiOrigin } from './origin.ts'

afterEach(() => document.querySelector('meta[name="api-origin"]')?.remove())

it('is the page’s own host', () => {
  expect(readApiOrigin('awaz.example.org')).toBe('')
})

it('is port 5000 of this machine where the page has no host', () => {
  expect(readApiOrigin('')).toBe('http://localhost:5000')
})

it('is what the server wrote into the page, whatever the host', () => {
  const meta = Object.assign(document.createElement('meta'), {
    name: 'api-origin',
    content: 'https://api.example.org/',
  })
  document.head.append(meta)
  expect(readApiOrigin('')).toBe('https://api.example.org')
})
