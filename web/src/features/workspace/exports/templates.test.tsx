import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import type { ReportTemplate, ReportTemplateInput } from '#contract/report-templates.ts'
import { captureDownloads } from '../../../testing/downloads.ts'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { DeskContext, type Desk } from '../state/desk-context.ts'
import { ExportMenu } from './export-menu.tsx'
import { toNewTemplate } from './report-templates.ts'

const call = makeTranscript([makeSegment('to the bridge')])
const options = { hasTranslation: true, hasHits: true, hasNotes: true, hasFacts: true, doubt: 'none' } as const
const makeTemplate = (name: string, part: Partial<ReportTemplate> = {}): ReportTemplate => ({
  ...toNewTemplate(options),
  id: name.length.toString(16).padStart(24, '0'),
  name,
  ...part,
})
const court = makeTemplate('Court', { format: 'docx', notes: false, facts: false, heading: 'Office 7' })
const archive = makeTemplate('Archive', { hits: false })

let stored: ReportTemplate[]
let downloads: ReturnType<typeof captureDownloads>
const exports: string[] = []

beforeEach(() => {
  localStorage.clear()
  exports.length = 0
  downloads = captureDownloads()
})

/** Fakes a server with templates, which answers as the real one does. */
function serveTemplates(templates: ReportTemplate[], handlers: Parameters<typeof fakeServer>[0] = {}) {
  stored = templates
  const ofEach = (id: string): Parameters<typeof fakeServer>[0] => ({
    [`PUT /api/report-templates/${id}`]: ({ body }) => {
      const changed = { ...(body as ReportTemplateInput), id }
      stored = stored.map((template) => (template.id === id ? changed : template))
      return { body: changed }
    },
    [`DELETE /api/report-templates/${id}`]: () => {
      stored = stored.filter((template) => template.id !== id)
      return { body: { message: 'Report template deleted' } }
    },
  })
  return fakeServer({
    'GET /api/report-templates': () => ({ body: { templates: stored } }),
    'POST /api/report-templates': ({ body }) => {
      const saved = { ...(body as ReportTemplateInput), id: 'f'.repeat(24) }
      stored = [...stored.filter(({ name }) => name !== saved.name), saved]
      return { status: 201, body: saved }
    },
    ...Object.assign({}, ...templates.map(({ id }) => ofEach(id))),
    [`GET /api/recordings/${call.transcription_id}/export`]: ({ url }) => {
      exports.push(url.split('?')[1] ?? '')
      return { body: 'file' }
    },
    ...handlers,
  })
}

async function openMenu() {
  const shared = { recording: makeRecording(call), transcription: call, translation: null } as Partial<Desk> as Desk // what the menu reads of it
  const { user } = renderAt(
    '/transcribe',
    <DeskContext value={shared}>
      <ExportMenu />
    </DeskContext>,
    someUser,
  )
  await user.click(screen.getByRole('button', { name: 'Export' }))
  return user
}

async function openItem(name: string) {
  const user = await openMenu()
  await user.click(await screen.findByRole('menuitem', { name }))
  return { user, dialog: await screen.findByRole('dialog') }
}

const openList = () => openItem('Change or delete templates…')

it('makes a report by a template, whatever is chosen for other exports', async () => {
  serveTemplates([archive, court])
  const user = await openMenu()
  const made = await screen.findByRole('menuitem', { name: /^Court/ })
  expect(made).toHaveTextContent('Word (.docx) · Translation · Keywords marked')
  await user.click(made)
  await waitFor(() => expect(downloads).toMatchObject([{ name: 'call.docx' }]))
  expect(exports).toEqual([`format=docx&doubt=none&notes=false&facts=false&template=${court.id}`])
})

it('opens the print view of a template', async () => {
  serveTemplates([archive])
  await openMenu()
  const made = await screen.findByRole('menuitem', { name: /^Archive/ })
  expect(made.getAttribute('href')).toBe(
    `/transcribe/print?recording=${call.transcription_id}&doubt=none&hits=false&template=${archive.id}`,
  )
})

it('says of templates nothing but that one can be saved where there are none', async () => {
  serveTemplates([])
  await openMenu()
  expect(await screen.findByRole('menuitem', { name: 'Save as a report template…' })).toBeVisible()
  expect(screen.queryByText('Report templates')).toBeNull()
  expect(screen.queryByRole('menuitem', { name: 'Change or delete templates…' })).toBeNull()
})

it('says that the templates could not be loaded, and tries again', async () => {
  let isDown = true
  serveTemplates([], {
    'GET /api/report-templates': () => (isDown ? failure(503) : { body: { templates: [court] } }),
  })
  const user = await openMenu()
  expect(await screen.findByText('The report templates could not be loaded.')).toBeVisible()
  expect(screen.getByRole('menuitem', { name: /^Word/ })).toBeVisible()
  isDown = false
  await user.click(screen.getByRole('menuitem', { name: 'Try again' }))
  expect(await screen.findByRole('menuitem', { name: /^Court/ })).toBeVisible()
})

it('saves the choices of the menu as a template, with texts', async () => {
  serveTemplates([])
  const user = await openMenu()
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Technical data' }))
  await user.click(screen.getByRole('menuitem', { name: 'Save as a report template…' }))
  const dialog = await screen.findByRole('dialog', { name: 'New report template' })
  expect(within(dialog).getByRole('checkbox', { name: 'Technical data' })).not.toBeChecked()
  await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Court')
  await user.type(within(dialog).getByRole('textbox', { name: 'Heading' }), 'Office 7')
  await user.type(within(dialog).getByRole('textbox', { name: 'Closing text' }), 'Signed:{Enter}{{person}')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const texts = { heading: 'Office 7', introduction: '', closing: 'Signed:\n{person}' }
  expect(stored).toMatchObject([{ name: 'Court', format: 'print', notes: true, facts: false, ...texts }])
})

it('asks for a name, and says where a template is replaced', async () => {
  const calls = serveTemplates([court])
  const { user, dialog } = await openItem('Save as a report template…')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await within(dialog).findByText('Please enter a name')).toBeVisible()
  expect(calls.some(({ key }) => key.startsWith('POST'))).toBe(false)
  await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Court ')
  expect(within(dialog).getByText('The template of this name is replaced.')).toBeVisible()
})

it('offers of each format only what it has', async () => {
  serveTemplates([])
  const { user, dialog } = await openItem('Save as a report template…')
  await user.click(within(dialog).getByRole('combobox', { name: 'Format' }))
  await user.click(await screen.findByRole('option', { name: 'Text (.txt)' }))
  for (const name of ['Keywords marked', 'Notes']) {
    expect(within(dialog).getByRole('checkbox', { name })).toBeDisabled()
    expect(within(dialog).getByRole('checkbox', { name })).not.toBeChecked()
  }
  expect(within(dialog).getByRole('checkbox', { name: 'Translation' })).toBeEnabled()
})

it('says why a template could not be saved, and keeps what was entered', async () => {
  serveTemplates([], {
    'POST /api/report-templates': () => failure(409, 'You can save at most 20 report templates', { code: 'conflict' }),
  })
  const { user, dialog } = await openItem('Save as a report template…')
  await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Court')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await within(dialog).findByText('You can save at most 20 report templates')).toBeVisible()
  expect(within(dialog).getByRole('textbox', { name: 'Name' })).toHaveValue('Court')
})

it('renames a template, and returns to the list', async () => {
  serveTemplates([archive, court])
  const { user, dialog } = await openList()
  await user.click(await within(dialog).findByRole('button', { name: 'Change Court' }))
  const field = within(dialog).getByRole('textbox', { name: 'Name' })
  await user.clear(field)
  await user.type(field, 'Judge')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  const list = await within(dialog).findByRole('list', { name: 'Report templates' })
  await waitFor(() => expect(list).toHaveTextContent('Judge'))
  expect(stored.map(({ name, heading }) => [name, heading])).toEqual([
    ['Archive', ''],
    ['Judge', 'Office 7'],
  ])
})

it('deletes a template, takes it back, and keeps the focus in the dialog', async () => {
  serveTemplates([court])
  const { user, dialog } = await openList()
  await user.click(await within(dialog).findByRole('button', { name: 'Delete Court' }))
  expect(await screen.findByText('Court was deleted.')).toBeVisible()
  expect(stored).toEqual([])
  expect(within(dialog).getByText(/^A template keeps what a report contains/)).toBeVisible()
  expect(within(dialog).getByRole('button', { name: 'New template' })).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await within(dialog).findByRole('list', { name: 'Report templates' })).toHaveTextContent('Court')
  const { id: _, ...content } = court
  expect(stored).toMatchObject([content])
})

it('says in the list that a template could not be deleted', async () => {
  serveTemplates([court], { [`DELETE /api/report-templates/${court.id}`]: () => failure(503, 'Not now.') })
  const { user, dialog } = await openList()
  await user.click(await within(dialog).findByRole('button', { name: 'Delete Court' }))
  expect(await screen.findByText('Not now.')).toBeVisible()
  expect(within(dialog).getByRole('list', { name: 'Report templates' })).toHaveTextContent('Court')
})
