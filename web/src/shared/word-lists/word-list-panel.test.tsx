import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ListedWord, NewWordList, WordList } from '#contract/word-lists.ts'
import { failure, fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { WordListPanel } from './word-list-panel.tsx'

const caseId = '0123456789abcdef0123456a'
const own = '/api/auth/word-list'
const ofCase = `/api/cases/${caseId}/word-list`
const qandahar: ListedWord = { word: 'Qandahar', heard_as: ['Kandahar', 'can the heart'] }
const kunduz: ListedWord = { word: 'کندز', heard_as: [] }
const names = (count: number) => Array.from({ length: count }, (_, index) => ({ word: `Name ${index}`, heard_as: [] }))

interface Shown {
  words?: ListedWord[]
  canEdit?: boolean
  handlers?: Parameters<typeof fakeServer>[0]
}

/** Shows a case's list that a server keeps as ours does. */
async function showList({ words = [qandahar, kunduz], canEdit = true, handlers = {} }: Shown = {}) {
  let stored: WordList = { revision: 3, words }
  const calls = fakeServer({
    [`GET ${ofCase}`]: () => ({ body: stored }),
    [`PUT ${ofCase}`]: ({ body }) => {
      const sent = body as NewWordList // what the editor sends
      if (sent.revision !== stored.revision) return failure(409, 'The list was changed meanwhile', { code: 'conflict' })
      stored = { ...sent, revision: sent.revision + 1 }
      return { body: stored }
    },
    ...handlers,
  })
  const { user } = renderAt('/cases', <WordListPanel caseId={caseId} canEdit={canEdit} />, someUser)
  await screen.findByText(/are transcribed with these names/)
  const sent = () => calls.filter(({ key }) => key.startsWith('PUT')).map(({ body }) => (body as NewWordList).words)
  return {
    user,
    sent,
    storeElsewhere: (list: ListedWord[]) => (stored = { revision: stored.revision + 1, words: list }),
  }
}

const field = () => screen.getByRole('textbox', { name: 'Add words' })
const list = () => screen.getByRole('list', { name: 'Words and names' })

describe('the list', () => {
  it('has each word in its own direction, with its other spellings', async () => {
    await showList()
    const [first, second] = within(list()).getAllByRole('listitem')
    expect(first).toHaveTextContent(/^Qandaharalso heard as Kandahar, can the heart$/)
    expect(within(second ?? list()).getByText('کندز')).toHaveAttribute('dir', 'auto')
    expect(screen.getByText('2 of 500')).toBeVisible()
  })

  it('that is empty says what it is for', async () => {
    await showList({ words: [] })
    expect(screen.getByText(/^No words yet/)).toBeVisible()
    expect(screen.queryByRole('list')).toBeNull()
  })

  it('is searched where it is long, whatever case and spelling', async () => {
    const { user } = await showList({ words: [...names(9), qandahar] })
    const search = screen.getByRole('searchbox', { name: 'Search the words' })
    await user.type(search, 'KAND')
    expect(within(list()).getAllByRole('listitem')).toHaveLength(1)
    expect(within(list()).getByText('Qandahar')).toBeVisible()
    await user.type(search, 'x')
    expect(screen.getByText('No word matches the search.')).toBeVisible()
  })

  it('that is short has no search field', async () => {
    await showList({ words: names(9) })
    expect(screen.queryByRole('searchbox')).toBeNull()
  })

  it('is only read by members who may not edit', async () => {
    await showList({ canEdit: false })
    expect(within(list()).getByText('Qandahar')).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it('that cannot be loaded is loaded again at a click', async () => {
    let isDown = true
    fakeServer({ [`GET ${own}`]: () => (isDown ? failure(500) : { body: { revision: 1, words: [kunduz] } }) })
    const { user } = renderAt('/settings/profile', <WordListPanel caseId={null} canEdit />, someUser)
    expect(screen.getByText('Loading the words')).toBeVisible()
    expect(await screen.findByText('The words could not be loaded.')).toBeVisible()
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('کندز')).toBeVisible()
  })
})

describe('adding', () => {
  it('a word by Enter empties the field', async () => {
    const { user, sent } = await showList({ words: [] })
    await user.type(field(), 'Qandahar = Kandahar, can the heart{Enter}')
    expect(await screen.findByText('Qandahar')).toBeVisible()
    expect(sent()).toEqual([[qandahar]])
    expect(field()).toHaveValue('')
  })

  it('many pasted lines says how many', async () => {
    const { user, sent } = await showList({ words: [kunduz] })
    fireEvent.change(field(), { target: { value: 'Qandahar = Kandahar, can the heart\nKabul\n\nکندز = قندوز' } })
    await user.click(screen.getByRole('button', { name: 'Add 3 words' }))
    await screen.findByText('Kabul')
    expect(sent()).toEqual([[{ ...kunduz, heard_as: ['قندوز'] }, qandahar, { word: 'Kabul', heard_as: [] }]])
  })

  it('a word that cannot be listed says why, and keeps what was typed', async () => {
    const { user, sent } = await showList()
    await user.type(field(), 'one two three four five{Enter}')
    expect(screen.getByText(/A name has at most 4 words separated by blanks/)).toBeVisible()
    expect(field()).toHaveValue('one two three four five')
    expect(sent()).toEqual([])
  })

  it('keeps what was typed where it could not be saved', async () => {
    const { user } = await showList({ handlers: { [`PUT ${ofCase}`]: () => failure(500) } })
    await user.type(field(), 'Kabul{Enter}')
    expect(await screen.findByText('The words could not be saved.')).toBeVisible()
    expect(field()).toHaveValue('Kabul')
  })

  it('goes on with what somebody else has added meanwhile', async () => {
    const { user, sent, storeElsewhere } = await showList({ words: [qandahar] })
    storeElsewhere([qandahar, kunduz])
    await user.type(field(), 'Kabul{Enter}')
    expect(await screen.findByText('Kabul')).toBeVisible()
    expect(screen.getByText('کندز')).toBeVisible()
    expect(sent().at(-1)).toEqual([qandahar, kunduz, { word: 'Kabul', heard_as: [] }])
  })
})

it('a removed word comes back at its place', async () => {
  const { user, sent } = await showList()
  await user.click(screen.getByRole('button', { name: 'Remove Qandahar' }))
  await waitFor(() => expect(screen.queryByText('Qandahar')).toBeNull())
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await screen.findByText('Qandahar')
  expect(sent()).toEqual([[kunduz], [qandahar, kunduz]])
})

it('a word is changed at its place, and Escape leaves it', async () => {
  const { user, sent } = await showList()
  await user.click(screen.getByRole('button', { name: 'Edit Qandahar' }))
  const changed = screen.getByRole('textbox', { name: 'Change Qandahar' })
  expect(changed).toHaveFocus()
  expect(changed).toHaveValue('Qandahar = Kandahar, can the heart')
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'Edit Qandahar' }))
  await user.clear(screen.getByRole('textbox', { name: 'Change Qandahar' }))
  await user.keyboard('Kandahar{Enter}')
  expect(await screen.findByText('Kandahar')).toBeVisible()
  expect(sent()).toEqual([[{ word: 'Kandahar', heard_as: [] }, kunduz]])
  expect(field()).toHaveValue('')
})
