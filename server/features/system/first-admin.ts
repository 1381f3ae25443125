import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import type { Users } from '../users/service.ts'

interface FirstAdminDeps {
  users: Users
  log: Logger
  dataDir: string
  adminEmail: string
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'initial-admin-password')
}

/**
 * Creates a super admin if there are no users at all. The password is written to `DATA_DIR/initial-admin-password` (0600; two lines, e-mail
 * and password) and must be changed at the first sign-in; only the path is logged.
 */
export async function ensureFirstAdmin({ users, log, dataDir, adminEmail }: FirstAdminDeps): Promise<void> {
  const { total_users: total } = await users.stats()
  if (total > 0) return
  const file = passwordFile(dataDir)
  const password = `${randomBytes(15).toString('base64url')}-Aa7`
  await mkdir(dataDir, { recursive: true })
  await rm(file, { force: true })
  try {
    await users.create({
      email: adminEmail,
      username: 'admin',
      password,
      firstName: '',
      lastName: '',
      role: 'super_admin',
      isActive: true,
      isVerified: true,
      mustChangePassword: true,
      hasTwoFactorGrace: true,
    })
  } catch (error) {
    const isCreatedByAnotherServer =
      error instanceof AppError && (error.code === 'email_taken' || error.code === 'username_taken')
    if (isCreatedByAnotherServer) return
    throw error
  }
  await writeFile(file, `${adminEmail}\n${password}\n`, { mode: 0o600, flag: 'wx' })
  log.info({ file }, 'made the first super admin; e-mail and password are in the file')
}

/** Deletes the file with the initial password if it belongs to this account. */
export async function removeInitialPassword(dataDir: string, email: string): Promise<void> {
  const text = await readFile(passwordFile(dataDir), 'utf8').catch(() => '')
  if (text.split('\n')[0] === email) await rm(passwordFile(dataDir), { force: true })
}
