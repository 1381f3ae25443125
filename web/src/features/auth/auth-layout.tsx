import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { Logo } from '../../shared/ui/logo.tsx'
import { useTitle } from '../../shared/use-title.ts'
import classes from './auth.module.css'
import { LanguageSelect } from './language-select.tsx'
import { WaveField } from './wave-field.tsx'

interface AuthLayoutProps {
  title: string
  subtitle?: ReactNode
  children: ReactNode
}

/** Two halves: the form, and a decoration of waveform lines. On narrow screens only the form. */
export function AuthLayout({ title, subtitle, children }: AuthLayoutProps) {
  useTitle(title)
  return (
    <div className={classes.layout}>
      <main className={classes.formSide}>
        <Link to="/" className={classes.logo} aria-label="Awaz">
          <Logo />
        </Link>
        <div className={classes.form}>
          <Title order={1}>{title}</Title>
          {subtitle && (
            <Text c="dimmed" mt={6}>
              {subtitle}
            </Text>
          )}
          <div className={classes.fields}>{children}</div>
        </div>
        <nav className={classes.links} aria-label={t('About Awaz')}>
          <Link to="/terms">{t('Terms of Service')}</Link>
          <Link to="/privacy">{t('Privacy Policy')}</Link>
          <Link to="/support">{t('Support')}</Link>
          <LanguageSelect />
        </nav>
      </main>
      <aside className={classes.artSide} aria-label={t('Transcribe and translate')}>
        <WaveField />
        <div className={classes.tagline}>
          <p className={classes.taglineText}>{t('Transcribe & Translate')}</p>
          <p className={classes.taglineNote}>
            {t("Every speaker's words, side by side with their translation. On your own machines.")}
          </p>
        </div>
      </aside>
    </div>
  )
}
