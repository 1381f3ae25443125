import { useMutation } from '@tanstack/react-query'
import { invitations } from '#contract/endpoints/invitations.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError, isSessionExpired, messageOf } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { useRefreshInvitations } from '../use-invitations.ts'

/** A list of people, as chosen or pasted. */
export interface CsvSource {
  /** The file's name, or `Pasted list`. */
  name: string
  csv: string
}

/** Checks a list, and imports the checked list. */
export function useImport() {
  const refresh = useRefreshInvitations()
  const preview = useMutation({
    mutationFn: ({ csv }: CsvSource) => call(invitations.previewImport, { body: { csv } }),
  })
  const source = preview.variables
  const importing = useMutation({
    mutationFn: ({ csv, days }: { csv: string; days: number }) => call(invitations.import, { body: { csv, days } }),
    onSuccess: () => refresh(),
    onError: (error) => {
      // A row became bad after the check, for example because someone registered in the meantime: a new check reports it.
      if (source && error instanceof ApiError && error.status === 400) preview.mutate(source)
    },
  })
  return {
    source,
    preview,
    importing,
    /** Goes back to choosing a list. */
    reset() {
      preview.reset()
      importing.reset()
    },
  }
}

/** Returns why a check or an import failed, with the server's details; undefined if it did not. */
export function describeFailure(error: Error | null): string | undefined {
  if (!error || isSessionExpired(error)) return undefined
  const message = messageOf(error, t('Network error. Please try again.'))
  return error instanceof ApiError && error.details.length > 0 ? error.details.join(' ') : message
}
