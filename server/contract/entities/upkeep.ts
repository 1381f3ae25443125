import { z } from 'zod'
import { Id, Moment } from '../scalars.ts'

/** A command that a server runs for a super admin: `awaz doctor` or `awaz backup rehearse`. */
export const UpkeepRun = z.object({
  id: Id,
  kind: z.enum(['checks', 'rehearsal']),
  /** The archive being rehearsed. */
  subject: z.string().nullable(),
  started_at: Moment,
  /** The current step, in English, with its progress; null until reported. */
  stage: z.string().nullable(),
  done: z.int().nonnegative().nullable(),
  total: z.int().nonnegative().nullable(),
  /** Null while the command runs. */
  ended_at: Moment.nullable(),
  outcome: z.enum(['done', 'failed', 'cancelled', 'interrupted']).nullable(),
  /** Why it failed, as the command reported it. */
  problem: z.string().nullable(),
})
export type UpkeepRun = z.infer<typeof UpkeepRun>

/** A finding of `awaz doctor`, in English; docs/doctor.md explains every code. */
export const DoctorFinding = z.object({
  code: z.string(),
  severity: z.enum(['problem', 'warning', 'note']),
  /** A short title without details. */
  title: z.string(),
  what: z.string(),
  why: z.string(),
  remedy: z.string(),
  /** The command that fixes it; words in capitals must be replaced. */
  command: z.string().optional(),
  /** Ids of the first affected recordings; missing when there are none. */
  recordings: z.array(Id).optional(),
})
export type DoctorFinding = z.infer<typeof DoctorFinding>

/** An affected recording, with the details that the audit trail shows to a reader. */
const AffectedRecording = z.object({
  id: Id,
  /** Null for anyone who may not read the recording. */
  name: z.string().nullable(),
  /** E-mail address. */
  owner: z.string(),
  uploaded_at: Moment,
  /** Whether the caller may read it and it is not in the trash. */
  can_open: z.boolean(),
})
export type AffectedRecording = z.infer<typeof AffectedRecording>

/** A finding as shown to a super admin. Recordings deleted since are left out. */
export const FindingWithRecordings = DoctorFinding.extend({ recordings: z.array(AffectedRecording).optional() })
export type FindingWithRecordings = z.infer<typeof FindingWithRecordings>

/** One comparison of a rehearsal. */
export const RehearsalCheck = z.object({
  code: z.enum(['documents', 'audio', 'sign_in', 'transcript', 'transcription']),
  /** In English, as the command prints it. */
  name: z.string(),
  expected: z.string(),
  found: z.string(),
  is_passed: z.boolean(),
})
export type RehearsalCheck = z.infer<typeof RehearsalCheck>

/** How the last rehearsal of a backup ended, according to the audit trail. */
const LastRehearsal = z.object({ at: Moment, is_passed: z.boolean() })

/** A finished backup in BACKUP_DIR. */
export const Backup = z.object({
  /** The name of its archive. */
  name: z.string(),
  made_at: Moment,
  /** The version of Awaz. */
  version: z.string(),
  encryption: z.enum(['passphrase', 'recipients', 'none']),
  documents: z.int().nonnegative(),
  recordings: z.int().nonnegative(),
  /** The number of recordings whose audio is missing or damaged. */
  faulty_recordings: z.int().nonnegative(),
  /** The number of documents that do not match their stored checksum. */
  damaged_documents: z.int().nonnegative(),
  /** The size of the archive and all audio that it needs, and the part that this backup added. */
  size_bytes: z.number().nonnegative(),
  new_bytes: z.number().nonnegative(),
  /** Null when no rehearsal is known. */
  rehearsed: LastRehearsal.nullable(),
  /** Whether this server has the key to open it. */
  can_open: z.boolean(),
  /** The command that rehearses it on the machine that has the key. */
  rehearse_command: z.string(),
})
export type Backup = z.infer<typeof Backup>

/** The name of an archive, used as part of a path. */
export const BackupName = z.string().regex(/^awaz-\d{8}T\d{6}Z(-\d+)?\.tar(\.age)?$/, 'Not the name of a backup')

/** A file in a support archive. */
const SupportFile = z.object({ name: z.string(), size_bytes: z.int().nonnegative() })

/** An archive for a person who helps with a problem: docs/doctor.md, "Support archive". */
export const SupportArchive = z.object({
  file_name: z.string(),
  files: z.array(SupportFile),
  size_bytes: z.int().nonnegative(),
  sha256: z.string(),
  /** The ZIP file itself. */
  base64: z.base64(),
})
export type SupportArchive = z.infer<typeof SupportArchive>
