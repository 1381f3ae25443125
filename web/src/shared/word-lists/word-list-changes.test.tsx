import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { failure } from '../../testing/fake-server.ts'
import {
  getAddField,
  getChangeField,
  editButton,
  kunduz,
  ofCase,
  qandahar,
  saveKey,
  showList,
} from './testing/show-list.tsx'

const searched = Array.from({ length: 10 }, (_, index) => ({ word: `Name ${index}`, heard_as: [] }))

describe('removing', () => {
  it('a word is undone at its place', async () => {
    const { user, sent } = await showList()
    await user.click(screen.getByRole('button', { name: 'Remove Qandahar' }))
    await waitFor(() => expect(screen.queryByText('Qandahar')).toBeNull())
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await screen.findByText('Qandahar')
    expect(sent()).toEqual([[kunduz], [qandahar, kunduz]])
  })

  it('moves the focus to the next word, the one before, and at last the field', async () => {
    const { user } = await showList({ words: [qandahar, kunduz, { word: 'Herat', heard_as: [] }] })
    const remove = async (word: string) => {
      await user.click(screen.getByRole('button', { name: `Remove ${word}` }))
      await waitFor(() => expect(screen.queryByRole('button', { name: `Edit ${word}` })).toBeNull())
    }
    await remove('کندز')
    expect(editButton('Herat')).toHaveFocus()
    await remove('Herat')
    expect(editButton('Qandahar')).toHaveFocus()
    await remove('Qandahar')
    expect(getAddField()).toHaveFocus()
  })

  it('the word that is being changed ends the change', async () => {
    const { user } = await showList()
    await user.click(editButton('Qandahar'))
    await user.click(screen.getByRole('button', { name: 'Remove Qandahar' }))
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Change Qandahar' })).toBeNull())
    expect(getAddField()).toBeVisible()
    expect(editButton('کندز')).toHaveFocus()
  })
})

describe('changing', () => {
  it('puts a word in the place of another', async () => {
    const { user, sent } = await showList()
    await user.click(editButton('Qandahar'))
    expect(getChangeField('Qandahar')).toHaveFocus()
    expect(getChangeField('Qandahar')).toHaveValue('Qandahar = Kandahar, can the heart')
    await user.clear(getChangeField('Qandahar'))
    await user.keyboard(`Kandahar${saveKey}`)
    expect(await screen.findByText('Kandahar')).toBeVisible()
    expect(sent()).toEqual([[{ word: 'Kandahar', heard_as: [] }, kunduz]])
    await waitFor(() => expect(editButton('Kandahar')).toHaveFocus())
    expect(getAddField()).toHaveValue('')
  })

  it('keeps what was typed to be added', async () => {
    const { user } = await showList()
    await user.type(getAddField(), 'Kabul')
    await user.click(editButton('Qandahar'))
    expect(screen.getAllByRole('textbox')).toEqual([getChangeField('Qandahar')])
    await user.keyboard('{Escape}')
    expect(getAddField()).toHaveValue('Kabul')
  })

  it.each(['Escape', 'Cancel', 'Save'])('goes back to the word by %s', async (end) => {
    const { user } = await showList()
    await user.click(editButton('Qandahar'))
    if (end === 'Escape') await user.keyboard('{Escape}')
    else await user.click(screen.getByRole('button', { name: end }))
    await waitFor(() => expect(editButton('Qandahar')).toHaveFocus())
    expect(screen.queryByRole('textbox', { name: 'Change Qandahar' })).toBeNull()
  })

  it('goes to the field that adds words where the search hides the word', async () => {
    const { user } = await showList({ words: searched })
    await user.click(editButton('Name 3'))
    await user.type(screen.getByRole('searchbox'), '7')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(getAddField()).toHaveFocus()
  })

  it('that fails keeps what was typed, and the focus', async () => {
    const { user } = await showList({ handlers: { [`PUT ${ofCase}`]: () => failure(500) } })
    await user.click(editButton('کندز'))
    await user.keyboard(' = قندوز')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('The words could not be saved.')).toBeVisible()
    expect(getChangeField('کندز')).toHaveValue('کندز = قندوز')
    expect(getChangeField('کندز')).toHaveFocus()
  })

  it('leaves the change of another word that was begun while it saved', async () => {
    const held = Promise.withResolvers<void>()
    const { user } = await showList({ held: held.promise })
    await user.click(editButton('Qandahar'))
    await user.keyboard(`, Candahar${saveKey}`)
    await user.click(editButton('کندز'))
    held.resolve()
    expect(await screen.findByText('Candahar')).toBeVisible()
    expect(getChangeField('کندز')).toHaveFocus()
  })

  it('keeps the spellings that somebody else has added meanwhile', async () => {
    const { user, sent, storeElsewhere } = await showList()
    await user.click(editButton('Qandahar'))
    storeElsewhere([{ word: 'Qandahar', heard_as: ['Kandahar', 'can the heart', 'Candahar'] }, kunduz])
    await user.clear(getChangeField('Qandahar'))
    await user.keyboard(`Qandahar = Kandahar, Qandar${saveKey}`)
    expect(await screen.findByText('Candahar')).toBeVisible()
    expect(sent().at(-1)).toEqual([{ word: 'Qandahar', heard_as: ['Kandahar', 'Qandar', 'Candahar'] }, kunduz])
  })

  it('ends where somebody else has removed the word, which stays removed', async () => {
    const { user, storeElsewhere, reload } = await showList()
    await user.click(editButton('Qandahar'))
    storeElsewhere([kunduz])
    await reload()
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Change Qandahar' })).toBeNull())
    expect(getAddField()).toHaveFocus()
  })
})
