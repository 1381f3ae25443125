import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { recentSearchesPrefix } from '../../shared/recordings/tab-data.ts'
import { failure, someUser } from '../../testing/fake-server.ts'
import {
  currentAddress,
  makeFoundCall,
  renderSearch,
  respondWithCalls,
  resultLinks,
  resultList,
  searchField,
} from '../../testing/search.tsx'

describe('typing', () => {
  it('the field has the focus, and the slash key returns it', async () => {
    const { user } = renderSearch('/search', [])
    expect(searchField()).toHaveFocus()
    searchField().blur()
    await user.keyboard('/')
    expect(searchField()).toHaveFocus()
    await user.keyboard('/')
    expect(searchField()).toHaveValue('/')
  })

  it('has filters once there is something to filter', async () => {
    const { user } = renderSearch('/search', [makeFoundCall(1)])
    expect(screen.queryByRole('button', { name: 'Language' })).toBeNull()
    await user.type(searchField(), 'money{Enter}')
    expect(await screen.findByRole('button', { name: 'Language' })).toBeVisible()
  })

  it('searches once typing pauses, and says in the address what for', async () => {
    const { user, requests } = renderSearch('/search', [makeFoundCall(1)])
    await user.type(searchField(), 'money')
    expect(await screen.findByText('call-1.wav')).toBeVisible()
    expect(requests).toEqual([{ q: 'money', sort: 'newest', spelling: 'any' }])
    expect(currentAddress()).toBe('/search?q=money')
  })

  it('searches at once on Enter; Back returns to the search before, with its words in the field', async () => {
    const { user } = renderSearch('/search?q=money', [makeFoundCall(1)])
    await user.clear(searchField())
    await user.type(searchField(), 'bridge{Enter}')
    await waitFor(() => expect(currentAddress()).toBe('/search?q=bridge'))
    await user.click(screen.getByRole('button', { name: 'Go back' }))
    await waitFor(() => expect(searchField()).toHaveValue('money'))
    expect(currentAddress()).toBe('/search?q=money')
  })

  it('finds names exactly as they are typed where other spellings are switched off', async () => {
    const { user, requests } = renderSearch('/search?q=Kandahar', [makeFoundCall(1)])
    const otherSpellings = await screen.findByRole('switch', { name: 'Other spellings of names' })
    expect(otherSpellings).toBeChecked()
    await user.click(otherSpellings)
    await waitFor(() => expect(requests.at(-1)).toEqual({ q: 'Kandahar', sort: 'newest', spelling: 'exact' }))
    expect(currentAddress()).toBe('/search?q=Kandahar&spelling=exact')
    await user.click(otherSpellings)
    await waitFor(() => expect(currentAddress()).toBe('/search?q=Kandahar'))
  })

  it('clears the field', async () => {
    const { user } = renderSearch('/search?q=money', [makeFoundCall(1)])
    await user.click(await screen.findByRole('button', { name: 'Clear the search' }))
    expect(searchField()).toHaveValue('')
    expect(searchField()).toHaveFocus()
    expect(await screen.findByRole('region', { name: 'How to search' })).toBeVisible()
  })

  it('explains what can be typed', async () => {
    const { user } = renderSearch('/search?q=money', [makeFoundCall(1)])
    await user.click(screen.getByRole('button', { name: 'How to search' }))
    const help = await screen.findByRole('dialog', { name: 'How to search' })
    expect(help).toHaveTextContent('"by the bridge"')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('filters', () => {
  it('restrict the search, and are removed one by one', async () => {
    const { user, requests } = renderSearch('/search?q=money', [makeFoundCall(1)])
    await user.click(await screen.findByRole('button', { name: 'Language' }))
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Pashto' }))
    await user.click(screen.getByRole('button', { name: 'Speaker' }))
    await user.click(await screen.findByRole('button', { name: 'Speaker B' }))
    await waitFor(() => expect(requests.at(-1)).toMatchObject({ q: 'money', language: 'ps', speaker: 'Speaker B' }))
    expect(currentAddress()).toBe('/search?q=money&speaker=Speaker+B&language=ps')
    await user.click(screen.getByRole('button', { name: 'Remove filter Language: Pashto' }))
    await waitFor(() => expect(currentAddress()).toBe('/search?q=money&speaker=Speaker+B'))
  })

  it('a speaker who is in no result is named', async () => {
    const { user, requests } = renderSearch('/search?q=money', [makeFoundCall(1)])
    await user.click(await screen.findByRole('button', { name: 'Speaker' }))
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'احمد{Enter}')
    await waitFor(() => expect(requests.at(-1)).toMatchObject({ speaker: 'احمد' }))
  })

  it('the best match comes first where that is chosen', async () => {
    const { user, requests } = renderSearch('/search?q=money', [makeFoundCall(1)])
    await user.click(await screen.findByRole('radio', { name: 'Best match' }))
    await waitFor(() => expect(requests.at(-1)).toMatchObject({ sort: 'best' }))
    expect(currentAddress()).toBe('/search?q=money&sort=best')
  })
})

describe('states', () => {
  it('shows that it is searching', async () => {
    let respond = () => {}
    renderSearch(
      '/search?q=money',
      () => new Promise((resolve) => (respond = () => resolve(respondWithCalls([makeFoundCall(1)])))),
    )
    expect(await screen.findByRole('status', { name: 'Searching' })).toBeVisible()
    respond()
    expect(await screen.findByText('call-1.wav')).toBeVisible()
  })

  it('keeps the results until those of the next search are there', async () => {
    let respond = () => {}
    const { user } = renderSearch('/search?q=money', ({ url }) =>
      url.includes('bridge')
        ? new Promise((resolve) => (respond = () => resolve(respondWithCalls([makeFoundCall(2)]))))
        : respondWithCalls([makeFoundCall(1)]),
    )
    await resultList()
    await user.clear(searchField())
    await user.type(searchField(), 'bridge{Enter}')
    await waitFor(async () => expect(await resultList()).toHaveAttribute('aria-busy', 'true'))
    expect(screen.getByText('call-1.wav')).toBeVisible()
    respond()
    expect(await screen.findByText('call-2.wav')).toBeVisible()
    expect(await resultList()).not.toHaveAttribute('aria-busy')
  })

  it('says what was searched where nothing was found, and offers other words and fewer filters', async () => {
    const { user } = renderSearch('/search?q=mony&language=ps', ({ url }) =>
      respondWithCalls([], url.includes('mony') ? { suggestion: 'money' } : {}),
    )
    expect(await screen.findByRole('heading', { name: 'Nothing found' })).toBeVisible()
    expect(screen.getByText(/were searched for/)).toHaveTextContent('“mony”')
    await user.click(screen.getByRole('button', { name: /^Search without Language/ }))
    await waitFor(() => expect(currentAddress()).toBe('/search?q=mony'))
    await user.click(await screen.findByRole('link', { name: 'money' }))
    await waitFor(() => expect(currentAddress()).toBe('/search?q=money'))
    expect(searchField()).toHaveValue('money')
  })

  it('offers to try again after an error', async () => {
    let isBroken = true
    const { user } = renderSearch('/search?q=money', () =>
      isBroken ? failure(500) : respondWithCalls([makeFoundCall(1)]),
    )
    expect(await screen.findByRole('alert')).toHaveTextContent('The search could not be finished.')
    isBroken = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('call-1.wav')).toBeVisible()
  })

  it('says why a query cannot be searched, without asking the server', async () => {
    const { requests } = renderSearch('/search?q=-money', [])
    expect(await screen.findByRole('heading', { name: 'Please add a word that must occur' })).toBeVisible()
    expect(requests).toEqual([])
  })

  it("shows the server's sentence about a query that asks for too much", async () => {
    const sentence = 'Too many words begin with “mo”. Please add letters before the asterisk.'
    renderSearch('/search?q=mo*', () => failure(400, sentence, { code: 'invalid_input', details: [sentence] }))
    expect(await screen.findByRole('heading', { name: sentence })).toBeVisible()
  })
})

describe('recent searches', () => {
  const key = `${recentSearchesPrefix}${someUser.id}`

  it('are offered before anything is typed, newest first', async () => {
    const { user } = renderSearch('/search', [makeFoundCall(1)])
    await user.type(searchField(), 'money{Enter}')
    await resultList()
    await user.clear(searchField())
    await user.type(searchField(), 'پيسي{Enter}')
    await waitFor(() => expect(currentAddress()).not.toContain('money'))
    await user.click(screen.getByRole('button', { name: 'Clear the search' }))
    const recent = await screen.findByRole('region', { name: 'Recent searches' })
    expect(
      within(recent)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['پيسي', 'money'])
    await user.click(within(recent).getByRole('link', { name: 'money' }))
    await waitFor(() => expect(searchField()).toHaveValue('money'))
    expect(await resultList()).toBeVisible()
  })

  it('remember a search from which a result was opened', async () => {
    const { user } = renderSearch('/search?q=money', [makeFoundCall(1)])
    await user.click((await resultLinks())[0] ?? document.body)
    expect(localStorage.getItem(key)).toBe('["money"]')
  })

  it('are those of this user alone, and can be forgotten', async () => {
    localStorage.setItem(`${recentSearchesPrefix}${'f'.repeat(24)}`, '["of another user"]')
    localStorage.setItem(key, '["money"]')
    const { user } = renderSearch('/search', [])
    expect(screen.queryByText('of another user')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(screen.queryByRole('region', { name: 'Recent searches' })).toBeNull()
    expect(localStorage.getItem(key)).toBeNull()
  })
})
