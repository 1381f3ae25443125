import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { failure, fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { getAddField, kunduz, ofCase, qandahar, saveKey, showList } from './testing/show-list.tsx'
import { WordListPanel } from './word-list-panel.tsx'

const own = '/api/auth/word-list'
const names = (count: number) => Array.from({ length: count }, (_, index) => ({ word: `Name ${index}`, heard_as: [] }))
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

  it('is scrolled by the keyboard where nothing in it takes the focus', async () => {
    const { user } = await showList({ canEdit: false })
    await user.tab()
    expect(list()).toHaveFocus()
  })

  it('that is read while a word is saved does not replace the newer one', async () => {
    const late = Promise.withResolvers<void>()
    let reads = 0
    const readOld = async () => {
      reads += 1
      if (reads > 1) await late.promise
      return { body: { revision: 3, words: [qandahar] } }
    }
    const { user, reload, cached } = await showList({ words: [qandahar], handlers: { [`GET ${ofCase}`]: readOld } })
    const reading = reload()
    await user.type(getAddField(), `Kabul${saveKey}`)
    expect(await screen.findByText('Kabul')).toBeVisible()
    late.resolve()
    await reading
    expect(cached()?.map(({ word }) => word)).toEqual(['Qandahar', 'Kabul'])
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
  it('says how lines are written and saved, and what other spellings do', async () => {
    await showList()
    expect(getAddField()).toHaveAccessibleDescription(/One per line.*equals sign.*always replaced.*Ctrl\+Enter saves/)
  })

  it('begins a line by Enter', async () => {
    const { user, sent } = await showList()
    await user.type(getAddField(), 'Kabul{Enter}Herat')
    expect(getAddField()).toHaveValue('Kabul\nHerat')
    expect(sent()).toEqual([])
  })

  it('a ninth spelling of a word that is listed says why, and keeps what was typed', async () => {
    const { user, sent } = await showList({ words: [{ word: 'a', heard_as: [...'bcdefghi'] }] })
    await user.type(getAddField(), `a = j${saveKey}`)
    expect(screen.getByText('a: A word has at most 8 other spellings')).toBeVisible()
    expect(getAddField()).toHaveValue('a = j')
    expect(sent()).toEqual([])
  })

  it('takes no other words while it saves, and then has the focus again', async () => {
    const held = Promise.withResolvers<void>()
    const { user } = await showList({ held: held.promise })
    await user.type(getAddField(), 'Kabul')
    await user.click(screen.getByRole('button', { name: 'Add' }))
    expect(getAddField()).toHaveAttribute('readonly')
    await user.type(getAddField(), ' and more')
    expect(getAddField()).toHaveValue('Kabul')
    await user.click(document.body)
    held.resolve()
    await waitFor(() => expect(getAddField()).toHaveValue(''))
    expect(getAddField()).not.toHaveAttribute('readonly')
    expect(getAddField()).toHaveFocus()
  })

  it('goes on while the removal of another word is saved', async () => {
    const held = Promise.withResolvers<void>()
    const { user, sent } = await showList({ held: held.promise })
    await user.click(screen.getByRole('button', { name: 'Remove Qandahar' }))
    await user.type(getAddField(), `Kabul${saveKey}`)
    held.resolve()
    await screen.findByText('Kabul')
    expect(sent()).toEqual([[kunduz], [kunduz, { word: 'Kabul', heard_as: [] }]])
  })

  it('a word by Ctrl+Enter empties the field', async () => {
    const { user, sent } = await showList({ words: [] })
    await user.type(getAddField(), `Qandahar = Kandahar, can the heart${saveKey}`)
    expect(await screen.findByText('Qandahar')).toBeVisible()
    expect(sent()).toEqual([[qandahar]])
    expect(getAddField()).toHaveValue('')
  })

  it('many pasted lines says how many', async () => {
    const { user, sent } = await showList({ words: [kunduz] })
    fireEvent.change(getAddField(), { target: { value: 'Qandahar = Kandahar, can the heart\nKabul\n\nکندز = قندوز' } })
    await user.click(screen.getByRole('button', { name: 'Add 3 words' }))
    await screen.findByText('Kabul')
    expect(sent()).toEqual([[{ ...kunduz, heard_as: ['قندوز'] }, qandahar, { word: 'Kabul', heard_as: [] }]])
  })

  it('a word that cannot be listed says why, and keeps what was typed', async () => {
    const { user, sent } = await showList()
    await user.type(getAddField(), `one two three four five${saveKey}`)
    expect(screen.getByText(/A name has at most 4 words separated by blanks/)).toBeVisible()
    expect(getAddField()).toHaveValue('one two three four five')
    expect(sent()).toEqual([])
  })

  it('keeps what was typed where it could not be saved', async () => {
    const { user } = await showList({ handlers: { [`PUT ${ofCase}`]: () => failure(500) } })
    await user.type(getAddField(), `Kabul${saveKey}`)
    expect(await screen.findByText('The words could not be saved.')).toBeVisible()
    expect(getAddField()).toHaveValue('Kabul')
  })

  it('goes on with what somebody else has added meanwhile', async () => {
    const { user, sent, storeElsewhere } = await showList({ words: [qandahar] })
    storeElsewhere([qandahar, kunduz])
    await user.type(getAddField(), `Kabul${saveKey}`)
    expect(await screen.findByText('Kabul')).toBeVisible()
    expect(screen.getByText('کندز')).toBeVisible()
    expect(sent().at(-1)).toEqual([qandahar, kunduz, { word: 'Kabul', heard_as: [] }])
  })
})
