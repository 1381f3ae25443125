import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { saveTokens } from '../../shared/api/tokens.ts'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { KeywordsPage } from './keywords-page.tsx'

const record = (keyword: string, sounds_like = false) => ({ id: '0'.repeat(24), keyword, sounds_like })

function showKeywords() {
  const saved: unknown[] = []
  const keywords = {
    threats: [record('gun'), record('weapon'), record('lübeck', true)],
    sentiment: [],
    intent: [],
    custom: [],
  }
  fakeServer({
    'GET /api/auth/keywords': () => ({ body: { keywords } }),
    'POST /api/auth/keywords': ({ body }) => {
      saved.push(body)
      return { body: { keywords } }
    },
  })
  saveTokens({ access_token: 'a', refresh_token: 'r' })
  const { user } = renderAt('/settings/general', <KeywordsPage />, someUser)
  return { user, saved }
}

it('each keyword has a switch for what sounds like it, except those too short for that', async () => {
  showKeywords()
  expect(await screen.findByRole('switch', { name: 'Also find what sounds like lübeck' })).toBeChecked()
  expect(screen.getByRole('switch', { name: 'Also find what sounds like weapon' })).not.toBeChecked()
  expect(screen.getByText('gun')).toBeVisible()
  expect(screen.queryByRole('switch', { name: 'Also find what sounds like gun' })).toBeNull()
})

it('the switch is saved with the keywords, and taken back', async () => {
  const { user, saved } = showKeywords()
  await user.click(await screen.findByRole('switch', { name: 'Also find what sounds like weapon' }))
  expect(saved.at(-1)).toMatchObject({ keywords: { sounds_like: ['lübeck', 'weapon'] } })
  await user.click(screen.getByRole('switch', { name: 'Also find what sounds like lübeck' }))
  expect(saved.at(-1)).toMatchObject({ keywords: { threats: ['gun', 'weapon', 'lübeck'], sounds_like: ['weapon'] } })
})
