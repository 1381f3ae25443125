import type { Page } from 'playwright-core'
import type { Stack } from '#testing/stack.ts'

/** The password that an admin sets in these tests; it meets the rules for new passwords. */
export const adminPassword = 'Brave.Teal.7!Waves'

/** Opens the sign-in page and signs in. */
export async function signIn(page: Page, url: string, email: string, password: string): Promise<void> {
  await page.goto(`${url}/login`)
  await fillSignIn(page, email, password)
}

/** Fills in and submits the sign-in form on screen. */
export async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** Signs the stack's super admin in and changes the initial password. */
export async function signInAsFirstAdmin(page: Page, { url, admin }: Pick<Stack, 'url' | 'admin'>): Promise<void> {
  await signIn(page, url, admin.email, admin.password)
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  await changePassword(page, admin.password, adminPassword)
  await page.getByRole('heading', { name: 'Transcribe & Translate' }).waitFor()
}

/** Fills in and submits the form that changes the password. */
export async function changePassword(page: Page, current: string, next: string): Promise<void> {
  await page.getByLabel('Current password', { exact: true }).fill(current)
  await page.getByLabel('New password', { exact: true }).fill(next)
  await page.getByLabel('Confirm new password', { exact: true }).fill(next)
  await page.getByRole('button', { name: 'Change Password' }).click()
}
