import { z } from 'zod'
import { callApi } from '#testing/api-calls.ts'
import { giveCall, type SharedStack } from './shared-stack.ts'
import { signInForApi } from './stack-users.ts'

const Anything = z.unknown()

/**
 * Gives the admin the data that the dialogs need and only the admin sees: a case with an invitee, a watch list, an API key, a webhook,
 * a saved filter, a report template, a deleted recording and a second session. Returns the id of the case.
 */
export async function createDialogFixtures(stack: SharedStack): Promise<string> {
  const { access_token: token } = await signInForApi(stack.url, stack.admin)
  const post = async <Schema extends z.ZodType>(path: string, json: object, schema: Schema) =>
    callApi(schema, `${stack.url}${path}`, { token, json })
  const expiresAt = new Date(Date.now() + 24 * 3_600_000).toISOString()
  const filter = { name: 'Harbour', filter: { states: ['failed'] } }
  const removed = { selection: { ids: [await giveCall(stack)] } }
  const createCase = async () => {
    const made = await post('/api/cases', { name: 'Harbour' }, z.object({ id: z.string() }))
    const email = `guest-${made.id}@example.org`
    await post('/api/auth/admin/invitations', { email }, Anything)
    const json = { email, role: 'view' }
    await callApi(Anything, `${stack.url}/api/cases/${made.id}/members`, { method: 'PUT', token, json })
    return made
  }
  const [made] = await Promise.all([
    createCase(),
    post('/api/alerts/watch-lists', { name: 'Harbour', words: ['bridge'] }, Anything),
    post('/api/api-keys', { name: 'Harbour', scope: 'read', expires_at: expiresAt }, Anything),
    post('/api/webhooks', { url: 'https://example.org/hook', events: ['job.finished'] }, Anything),
    post('/api/library/filters', filter, Anything),
    post('/api/report-templates', { name: 'Harbour', heading: 'Harbour' }, Anything),
    post('/api/library/remove', removed, Anything),
  ])
  return made.id
}
