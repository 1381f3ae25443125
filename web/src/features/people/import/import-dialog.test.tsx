import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { captureDownloads } from '../../../testing/downloads.ts'
import { failure } from '../../../testing/fake-server.ts'
import { importKey, previewKey, renderPeople } from '../../../testing/people.tsx'
import { InvitationsPage } from '../invitations-page.tsx'

const goodRow = { line: 2, email: 'a@example.org', first_name: 'Ana', last_name: '', role: 'user', errors: [] }
const badRow = {
  line: 4,
  email: 'nobody',
  first_name: '',
  last_name: '',
  role: 'chief',
  errors: ['Please enter a valid email address.', 'Role must be user or admin.'],
}
const good = { body: { rows: [goodRow], good: 1, bad: 0 } }
const mixed = {
  body: { rows: [goodRow, badRow, { ...goodRow, line: 3, errors: ['Twice in the file.'] }], good: 1, bad: 2 },
}

type Handlers = Parameters<typeof renderPeople>[2] extends infer Options extends { handlers?: unknown } | undefined
  ? NonNullable<Options>['handlers']
  : never

async function openDialog(handlers: Handlers, config = {}) {
  const view = renderPeople('/admin/invitations', <InvitationsPage />, { ...(handlers && { handlers }), config })
  await view.user.click(await screen.findByRole('button', { name: 'Import CSV' }))
  const dialog = within(await screen.findByRole('dialog'))
  async function choose(content: BlobPart, name = 'people.csv') {
    await view.user.upload(dialog.getByLabelText('CSV file of people'), new File([content], name))
  }
  return { ...view, dialog, choose }
}

describe('importing a CSV file', () => {
  it('names each bad line first and imports nothing while there is one', async () => {
    const { dialog, choose, bodiesOf, user } = await openDialog({ [previewKey]: () => mixed })
    await choose('email\na@example.org')
    expect(await dialog.findByText('1 good, 2 bad')).toBeVisible()
    expect(dialog.getByText(/Nobody is invited until every line is good/)).toBeVisible()
    const lines = dialog.getAllByRole('row').slice(1)
    expect(lines.map((row) => within(row).getAllByRole('cell')[0]?.textContent)).toEqual(['3', '4', '2'])
    for (const sentence of badRow.errors) expect(dialog.getByText(sentence)).toBeVisible()
    expect(dialog.queryByRole('button', { name: /^Invite/ })).toBeNull()
    expect(dialog.getByRole('button', { name: 'Choose another list' })).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(await dialog.findByRole('button', { name: 'Choose file' })).toBeVisible()
    expect(bodiesOf(importKey)).toEqual([])
  })

  it('imports a good list and says how many were invited', async () => {
    const { dialog, choose, bodiesOf, user } = await openDialog({
      [previewKey]: () => good,
      [importKey]: () => ({ status: 201, body: { invited: 1 } }),
    })
    await choose('email\na@example.org')
    const invite = await dialog.findByRole('button', { name: 'Invite 1 person' })
    expect(invite).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(await dialog.findByRole('heading', { name: '1 person invited' })).toBeVisible()
    expect(bodiesOf(importKey)).toEqual([{ csv: 'email\na@example.org', days: 7 }])
    expect(dialog.getByRole('button', { name: 'Done' })).toHaveFocus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('takes a pasted list', async () => {
    const { dialog, bodiesOf, user } = await openDialog({ [previewKey]: () => good })
    expect(dialog.getByRole('button', { name: 'Check the list' })).toBeDisabled()
    await user.click(dialog.getByLabelText('Or paste the list'))
    await user.paste('email\nb@example.org')
    await user.click(dialog.getByRole('button', { name: 'Check the list' }))
    expect(await dialog.findByText('Pasted list')).toBeVisible()
    expect(bodiesOf(previewKey)).toEqual([{ csv: 'email\nb@example.org' }])
  })

  it('checks again where somebody registered meanwhile', async () => {
    let isLate = false
    const { dialog, choose, user } = await openDialog({
      [previewKey]: () => (isLate ? mixed : good),
      [importKey]: () => failure(400, 'Lines are wrong', { code: 'invalid_input', details: ['Line 3: registered.'] }),
    })
    await choose('email\na@example.org')
    isLate = true
    await user.click(await dialog.findByRole('button', { name: 'Invite 1 person' }))
    expect(await dialog.findByText('1 good, 2 bad')).toBeVisible()
    expect(dialog.getByText('Nobody was invited')).toBeVisible()
    expect(dialog.getByText('Line 3: registered.')).toBeVisible()
  })

  it('says why a file cannot be read, and why the server refused', async () => {
    const { dialog, choose } = await openDialog({
      [previewKey]: () => failure(400, 'The header must name email', { code: 'invalid_input' }),
    })
    await choose('', 'empty.csv')
    expect(await dialog.findByText('empty.csv: The file is empty')).toBeVisible()
    await choose('\0\0', 'list.csv')
    expect(await dialog.findByText(/^list.csv: This is no text/)).toBeVisible()
    await choose('name\nAna')
    expect(await dialog.findByText('The header must name email')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Choose file' })).toBeVisible()
  })

  it('offers a template whose header the import reads', async () => {
    const downloads = captureDownloads()
    const { dialog, user } = await openDialog({})
    await user.click(dialog.getByRole('button', { name: 'Download a template' }))
    expect(await downloads[0]?.content.text()).toMatch(/^email,first_name,last_name,role\r\n/)
  })

  it('says where the links are where no mail is sent', async () => {
    const { dialog, choose, user } = await openDialog(
      { [previewKey]: () => good, [importKey]: () => ({ status: 201, body: { invited: 1 } }) },
      { is_smtp_configured: false },
    )
    await choose('email\na@example.org')
    await user.click(await dialog.findByRole('button', { name: 'Invite 1 person' }))
    expect(await dialog.findByText('This server sends no mail')).toBeVisible()
  })
})
