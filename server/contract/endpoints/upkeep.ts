import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import {
  Backup,
  BackupName,
  RehearsalCheck,
  FindingWithRecordings,
  SupportArchive,
  UpkeepRun,
} from '../entities/upkeep.ts'
import { IdParams, Moment } from '../scalars.ts'

const RunResponse = z.object({ run: UpkeepRun })

/** Maintenance of the instance by super admins. A server runs the commands, at most one at a time. */
export const upkeep = {
  checks: endpoint({
    method: 'GET',
    path: '/api/admin/upkeep/checks',
    access: 'super_admin',
    summary: 'What awaz doctor found when it was last run by a server, and the run under way',
    response: z.object({
      /** Null before the first. */
      last: z.object({ at: Moment, findings: z.array(FindingWithRecordings) }).nullable(),
      /** The current or latest run; null if there was none. */
      run: UpkeepRun.nullable(),
      /** Whether another command is running, so that none can be started. */
      is_busy: z.boolean(),
    }),
    errors: [],
  }),
  startChecks: endpoint({
    method: 'POST',
    path: '/api/admin/upkeep/checks',
    access: 'super_admin',
    summary: 'Run awaz doctor on a server. Audited',
    response: RunResponse,
    status: 202,
    errors: ['conflict'],
  }),
  backups: endpoint({
    method: 'GET',
    path: '/api/admin/upkeep/backups',
    access: 'super_admin',
    summary: 'The finished backups in BACKUP_DIR, newest first, and the last rehearsal that a server ran',
    response: z.object({
      /** BACKUP_DIR; null when not set. */
      folder: z.string().nullable(),
      /** Why the backups could not be listed, as the command reported it; null if they were. */
      problem: z.string().nullable(),
      backups: z.array(Backup),
      /** The number of damaged records. */
      unreadable: z.int().nonnegative(),
      /** Null before the first. */
      last: z.object({ at: Moment, name: z.string(), checks: z.array(RehearsalCheck) }).nullable(),
      /** The current or latest rehearsal; null if there was none. */
      run: UpkeepRun.nullable(),
      is_busy: z.boolean(),
    }),
    errors: [],
  }),
  startRehearsal: endpoint({
    method: 'POST',
    path: '/api/admin/upkeep/backups/:name/rehearsals',
    access: 'super_admin',
    summary:
      'Rehearse a backup that the settings can open: restore it into a scratch folder, start it there, and compare. Audited',
    params: z.object({ name: BackupName }),
    response: RunResponse,
    status: 202,
    errors: ['not_found', 'conflict'],
  }),
  cancelRun: endpoint({
    method: 'DELETE',
    path: '/api/admin/upkeep/runs/:id',
    access: 'super_admin',
    summary: 'End a run; what it wrote is removed. One that has ended is returned unchanged. Audited',
    params: IdParams,
    response: RunResponse,
    errors: ['not_found'],
  }),
  makeSupportArchive: endpoint({
    method: 'POST',
    path: '/api/auth/super-admin/support-archive',
    access: 'super_admin',
    summary:
      'Make an archive for the person who helps, with a list of its files: no word, name, address or secret. Audited',
    response: SupportArchive,
    errors: ['conflict'],
  }),
}
