import { act, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { noKeywords } from '#contract/keywords/keywords.ts'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { saveTokens } from '../api/tokens.ts'
import { useKeywords } from './use-keywords.ts'

const listKey = 'GET /api/auth/keywords'
const saveKey = 'POST /api/auth/keywords'
const changed = { ...noKeywords(), threats: ['bomb'] }

function Part() {
  const { keywords, isLoading, save } = useKeywords(someUser.id)
  const [answer, setAnswer] = useState('')
  return (
    <>
      <p>{isLoading ? 'loading' : `threats: ${keywords.threats.join(', ')}`}</p>
      <button onClick={() => void save(changed).then((problem) => setAnswer(problem ?? 'saved'))}>Save</button>
      <p role="status">{answer}</p>
    </>
  )
}

/** A part of the app that uses the keywords, and a button that leaves and reopens it. */
function Screen() {
  const [visit, setVisit] = useState(1)
  return (
    <>
      <button onClick={() => setVisit(visit + 1)}>Come back</button>
      <Part key={visit} />
    </>
  )
}

async function show(handlers: Parameters<typeof fakeServer>[0] = {}) {
  const calls = fakeServer({ [listKey]: () => ({ body: { keywords: noKeywords() } }), ...handlers })
  const { user } = renderAt('/settings/general', <Screen />, someUser)
  await screen.findByText('threats:')
  const keys = () => calls.map(({ key }) => key)
  return { user, keys }
}

const press = (name: string) => screen.getByRole('button', { name })
const readLocal = () => JSON.parse(localStorage.getItem(`awaz_keywords:${someUser.id}`) ?? 'null')

it('loads the keywords once, wherever they are used', async () => {
  const { user, keys } = await show()
  await user.click(press('Come back'))
  await user.click(press('Come back'))
  expect(screen.getByText('threats:')).toBeVisible()
  expect(keys()).toEqual([listKey])
})

it('keeps a change in this browser at once, before the server has it', async () => {
  saveTokens({ access_token: 'a', refresh_token: 'r' })
  let respond = () => {}
  const { user, keys } = await show({
    [saveKey]: () => new Promise((resolve) => (respond = () => resolve({ body: { keywords: noKeywords() } }))),
  })
  await user.click(press('Save'))
  expect(keys()).toContain(saveKey)
  expect(readLocal()).toEqual(changed)
  expect(screen.getByText('threats: bomb')).toBeVisible()
  act(() => respond())
  expect(await screen.findByText('saved')).toBeVisible()
})

it('keeps a change in this browser alone where nobody is signed in', async () => {
  const { user, keys } = await show()
  await user.click(press('Save'))
  expect(await screen.findByText('Not authenticated')).toBeVisible()
  expect(readLocal()).toEqual(changed)
  expect(keys()).toEqual([listKey])
})

it('remembers what the server had before the first of several changes that it did not get', async () => {
  const { user } = await show()
  await user.click(press('Save'))
  await user.click(press('Save'))
  expect(await screen.findByText('Not authenticated')).toBeVisible()
  expect(JSON.parse(localStorage.getItem(`awaz_keywords:${someUser.id}:base`) ?? 'null')).toMatchObject({ threats: [] })
})
