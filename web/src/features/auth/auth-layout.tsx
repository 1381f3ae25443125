import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { currentLanguage, t } from '#contract/texts/t.ts'
import { parseInterfaceLanguage } from '#contract/texts/interface-languages.ts'
import { Logo } from '../../shared/ui/logo.tsx'
import { useTitle } from '../../shared/use-title.ts'
import { chooseLanguage, languageChoices } from '../../shared/texts/choose-language.ts'
import classes from './auth.module.css'

const width = 800
const height = 900
const lineCount = 26
const stepPx = 10

/** Returns the path of one line: two swells that fade towards the edges, like speech between silences. */
function linePath(index: number): string {
  const y = 60 + (index * (height - 120)) / (lineCount - 1)
  const phase = index * 0.42
  const points: string[] = []
  for (let x = 0; x <= width; x += stepPx) {
    const along = x / width
    const swell = Math.exp(-((along - 0.36 - 0.06 * Math.sin(phase)) ** 2) / 0.02)
    const second = Math.exp(-((along - 0.72 + 0.05 * Math.cos(phase)) ** 2) / 0.012)
    const middle = 1 - Math.abs(index - lineCount / 2) / (lineCount / 2)
    const lift = (swell * 46 + second * 30) * (0.25 + 0.75 * middle)
    const ripple = Math.sin(along * 38 + phase * 2.2) * 0.5 + Math.sin(along * 61 - phase) * 0.5
    points.push(`${x.toFixed(0)},${(y - lift * (0.55 + 0.45 * ripple)).toFixed(1)}`)
  }
  return `M${points.join('L')}`
}

const paths = Array.from({ length: lineCount }, (_, index) => linePath(index))

/** Waveform lines in the accent. Decoration only. */
function WaveField() {
  return (
    <svg className={classes.field} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="xMidYMid slice" aria-hidden>
      {paths.map((path, index) => (
        <path key={path} d={path} opacity={0.18 + 0.62 * (1 - Math.abs(index - lineCount / 2) / (lineCount / 2))} />
      ))}
    </svg>
  )
}

/** The interface language, for visitors who cannot read this page yet: each language is named in that language. */
function LanguageSelect() {
  return (
    <select
      className={classes.language}
      aria-label={t('Language of the interface')}
      value={currentLanguage()}
      onChange={({ currentTarget }) => {
        const language = parseInterfaceLanguage(currentTarget.value)
        if (language) chooseLanguage(language)
      }}
    >
      {languageChoices.map(({ value, label }) => (
        <option key={value} value={value} lang={value}>
          {label}
        </option>
      ))}
    </select>
  )
}

interface AuthLayoutProps {
  title: string
  subtitle?: ReactNode
  children: ReactNode
}

/** Two halves: the form, and decorative waveform lines. On narrow screens only the form is shown. */
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
