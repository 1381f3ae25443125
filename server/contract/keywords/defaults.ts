import { keywordCategories, noKeywords, type Keywords } from './keywords.ts'

const threats = {
  en: `attack, attacker, attacks, bomb, bombs, bombing, explosive, explosives, explosion, blast, detonate, weapon, weapons, gun, guns,
    rifle, pistol, knife, bullet, bullets, ammunition, grenade, kill, killed, killing, murder, shoot, shooting, kidnap, kidnapping,
    hostage, ransom, threat, threaten, threatened, terrorist, terrorism, suicide, ambush, assassinate, revenge, blackmail`,
  fa: `حمله, حملات, مهاجم, یورش, بمب, بمب‌گذاری, انفجار, منفجر, مواد منفجره, مین, سلاح, اسلحه, تفنگ, تپانچه, هفت‌تیر, چاقو, گلوله, مهمات,
    نارنجک, کشتن, کشتند, کشته, قتل, تیراندازی, شلیک, گروگان, گروگان‌گیری, آدم‌ربایی, ربودن, باج, تهدید, تهدیدها, تروریست, تروریستی, تروریسم,
    انتحاری, کمین, ترور, انتقام`,
  prs: `بم, بم‌گذاری, انفجارات, تفنگچه, کلاشینکوف, مرمی, بم دستی, فیر, اختطاف, اختطاف‌چی, حملات انتحاری, دهشت, دهشت‌افگن, دهشت‌افگنی, مهمات‌سازی,
    کمین‌گاه, غند`,
  ar: `هجوم, الهجوم, هجمات, مهاجم, قنبلة, القنبلة, قنابل, متفجرات, المتفجرات, انفجار, الانفجار, تفجير, سلاح, السلاح, أسلحة, بندقية, مسدس, سكين,
    رصاص, رصاصة, ذخيرة, قتل, القتل, يقتل, قتلوا, اغتيال, إطلاق النار, خطف, اختطاف, رهينة, رهائن, فدية, تهديد, تهديدات, إرهاب, إرهابي,
    إرهابيين, انتحاري, كمين, انتقام, ابتزاز`,
  ps: `حمله, حملې, برید, بریدونه, بم, بمونه, چاودنه, چاودېدونکي توکي, وسله, وسلې, وسلوال, ټوپک, تومانچه, چاقو, مرمۍ, لاسي بم, وژل, وژنه,
    قتل, مرګ, ډزې, تښتونه, یرغمل, ګواښ, ګواښونه, ترهګر, ترهګري, ځانمرګی, کمین, غچ, انتقام`,
  ur: `حملہ, حملے, حملہ آور, بم, دھماکہ, دھماکا, بارود, بارودی مواد, ہتھیار, اسلحہ, بندوق, پستول, رائفل, چاقو, گولی, گولیاں, دستی بم, قتل,
    مار دو, مار ڈالو, فائرنگ, اغوا, یرغمال, تاوان, دھمکی, دھمکیاں, دہشت گرد, دہشت گردی, خودکش, گھات, بدلہ, انتقام`,
}

const sentiment = {
  en: `happy, glad, pleased, good, great, love, thank you, thanks, hope, calm, sad, angry, anger, furious, upset, bad, terrible, afraid,
    scared, fear, hate, worried, nervous, disappointed, frustrated, sorry, cry, sick`,
  fa: `خوشحال, خوشحالم, شاد, راضی, ممنون, ممنونم, متشکرم, تشکر, سپاسگزارم, عشق, امید, امیدوارم, آرام, غمگین, ناراحت, عصبانی, عصبانیت, خشم, بد,
    وحشتناک, ترس, می‌ترسم, ترسیدم, نفرت, متنفرم, نگران, نگرانم, نگرانی, مضطرب, ناامید, خسته, متاسفم, ببخشید, گریه, مریض, بیمار`,
  prs: `خوش, تشکر بسیار, دق, دق شدم, قهر, جگرخون, وارخطا, پریشان, ناجور, معذرت می‌خواهم, خفه`,
  ar: `سعيد, سعيدة, مسرور, شكرا, شكرا لك, أشكرك, حب, أحبك, أمل, هادئ, حزين, حزينة, غاضب, غاضبة, غضب, مستاء, سيئ, فظيع, خائف, خائفة, خوف,
    كراهية, أكره, قلق, قلقة, متوتر, محبط, آسف, آسفة, أعتذر, بكاء, مريض, مريضة`,
  ps: `خوشحاله, خوشحال, خوښ, ښه, ډېر ښه, مننه, مینه, هیله, آرام, خپه, غوسه, غصه, غمجن, بد, ډار, وېره, کرکه, نفرت, اندېښنه, اندېښمن, ناهیلی,
    بخښنه, ژړا, ناروغ`,
  ur: `خوش, خوشی, اچھا, اچھی, بہت اچھا, شکریہ, محبت, پیار, امید, سکون, اداس, ناراض, غصہ, غصے, غمگین, برا, بری, ڈر, خوف, نفرت, پریشان,
    پریشانی, مایوس, افسوس, معافی, رونا, بیمار`,
}

const intent = {
  en: `meeting, meet, plan, plans, bring, send, buy, sell, deliver, delivery, pay, payment, money, cash, transfer, price, deal, travel,
    border, hide, escape, secret`,
  fa: `جلسه, ملاقات, دیدار, قرار, نقشه, برنامه, بیاور, بیاورید, بفرست, بفرستید, بخر, بفروش, تحویل, پول, نقد, پرداخت, حواله, قیمت, معامله, سفر,
    مرز, پنهان, مخفی, فرار, راز, محرمانه`,
  prs: `مجلس, پلان, روان کن, روان کنید, پیسه, پیسه نقد, صراف, نرخ, سودا, سرحد, پت کن, گریز`,
  ar: `اجتماع, الاجتماع, لقاء, موعد, خطة, الخطة, أحضر, أرسل, اشتر, بع, تسليم, توصيل, دفع, مال, المال, فلوس, نقدا, تحويل, حوالة, سعر, السعر, صفقة,
    سفر, الحدود, حدود, إخفاء, هروب, سر, سري`,
  ps: `غونډه, غونډې, لیدنه, پلان, راوړه, ولېږه, واخله, وپلوره, پیسې, روپۍ, تادیه, بیه, معامله, سفر, پوله, پټ, تېښته, راز`,
  ur: `ملاقات, ملنا, منصوبہ, لاؤ, بھیجو, خریدو, بیچو, پیسے, پیسہ, رقم, نقد, ادائیگی, قیمت, سودا, سفر, سرحد, چھپاؤ, فرار, راز`,
}

const lists = { threats, sentiment, intent }

/** Whisper does not know Dari and calls it Persian, so texts in either language are scanned for the words of both. */
const listsOfLanguage: Record<string, readonly (keyof typeof threats)[]> = {
  en: ['en'],
  ps: ['ps'],
  ur: ['ur'],
  fa: ['fa', 'prs'],
  prs: ['fa', 'prs'],
  ar: ['ar'],
}

/**
 * The lists that readers have until they make their own: English, Pashto and Urdu (audio-workflow specification, section 9), Persian, Dari
 * and Arabic. A hit is a place to listen, never a verdict; words that occur in nearly every call (go, tomorrow, house) are left out,
 * because they would mark everything.
 */
export const defaultKeywords: KeywordsInUse = { ...builtInKeywords(null), isBuiltIn: true }

/** Keywords for which texts are scanned. Of the built-in keywords, only those of its own language are used for each text. */
export interface KeywordsInUse extends Keywords {
  isBuiltIn?: true
}

/** Returns the built-in keywords for texts in a language: all keywords when it is unknown, none when there is no list for it. */
export function builtInKeywords(language: string | null): Keywords {
  const languages = language === null ? Object.values(listsOfLanguage).flat() : (listsOfLanguage[language] ?? [])
  const wordsOf = (list: typeof threats) => splitWords([...new Set(languages)].map((name) => list[name]))
  return {
    ...noKeywords(),
    threats: wordsOf(lists.threats),
    sentiment: wordsOf(lists.sentiment),
    intent: wordsOf(lists.intent),
  }
}

/** Returns the user's lists, or the built-in lists if all four are empty (audio-workflow specification, section 9). */
export function keywordsInUse(own: Keywords): KeywordsInUse {
  return keywordCategories.some((category) => own[category].length > 0) ? own : defaultKeywords
}

function splitWords(texts: string[]): string[] {
  const words = texts.flatMap((text) => text.split(','))
  return [...new Set(words.map((word) => word.trim()))]
}
