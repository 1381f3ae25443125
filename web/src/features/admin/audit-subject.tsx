import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { Response } from '#contract/endpoint.ts'
import type { admin } from '#contract/endpoints/admin.ts'
import { formatMoment } from '../../shared/format.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { usersPath } from './console-nav.tsx'

type AuditEvent = Response<typeof admin.audit>['events'][number]

/** Whom or what an entry of the audit trail is about. */
export function AuditSubject({ event }: { event: AuditEvent }) {
  const users = usersPath(isSuperAdmin(useUser()))
  const { target, recording_owner: owner, recording_uploaded_at: uploadedAt } = event
  const { case_id: caseId, case_name: caseName } = event
  if (owner !== null && uploadedAt !== null)
    return (
      <div>
        <RecordingName event={event} />
        <Text size="sm" c={event.recording_name === null ? undefined : 'dimmed'}>
          {rich('recording of {owner}, uploaded {moment}', {
            owner: <Isolated>{owner}</Isolated>,
            moment: formatMoment(uploadedAt),
          })}
        </Text>
      </div>
    )
  if (caseName !== null && target === caseId)
    return (
      <>
        {rich('case {name}', {
          name: (
            <AuditLink to={`/cases?case=${caseId}`}>
              <Isolated>{caseName}</Isolated>
            </AuditLink>
          ),
        })}
      </>
    )
  if (!target?.includes('@')) return target
  return <AuditLink to={`${users}?${new URLSearchParams({ q: target })}`}>{target}</AuditLink>
}

/** The name of the recording, for those who may read it. */
function RecordingName({
  event: { recording_id: id, recording_name: name, can_open_recording: canOpen },
}: {
  event: AuditEvent
}) {
  if (name === null) return null
  const shown = <Isolated>{name}</Isolated>
  return canOpen ? <AuditLink to={`/transcribe?recording=${id}`}>{shown}</AuditLink> : shown
}

export function AuditLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={to} size="sm">
      {children}
    </Anchor>
  )
}
