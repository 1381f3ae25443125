import { keywordCategories, type Keywords } from './keywords.ts'

const threats = {
  en: `attack, attacker, attacks, bomb, bombs, bombing, explosive, explosives, explosion, blast, detonate, weapon, weapons, gun, guns,
    rifle, pistol, knife, bullet, bullets, ammunition, grenade, kill, killed, killing, murder, shoot, shooting, kidnap, kidnapping,
    hostage, ransom, threat, threaten, threatened, terrorist, terrorism, suicide, ambush, assassinate, revenge, blackmail`,
  ps: `حمله, حملې, برید, بریدونه, بم, بمونه, چاودنه, چاودېدونکي توکي, وسله, وسلې, وسلوال, ټوپک, تومانچه, چاقو, مرمۍ, لاسي بم, وژل, وژنه,
    قتل, مرګ, ډزې, تښتونه, یرغمل, ګواښ, ګواښونه, ترهګر, ترهګري, ځانمرګی, کمین, غچ, انتقام`,
  ur: `حملہ, حملے, حملہ آور, بم, دھماکہ, دھماکا, بارود, بارودی مواد, ہتھیار, اسلحہ, بندوق, پستول, رائفل, چاقو, گولی, گولیاں, دستی بم, قتل,
    مار دو, مار ڈالو, فائرنگ, اغوا, یرغمال, تاوان, دھمکی, دھمکیاں, دہشت گرد, دہشت گردی, خودکش, گھات, بدلہ, انتقام`,
}

const sentiment = {
  en: `happy, glad, pleased, good, great, love, thank you, thanks, hope, calm, sad, angry, anger, furious, upset, bad, terrible, afraid,
    scared, fear, hate, worried, nervous, disappointed, frustrated, sorry, cry, sick`,
  ps: `خوشحاله, خوشحال, خوښ, ښه, ډېر ښه, مننه, مینه, هیله, آرام, خپه, غوسه, غصه, غمجن, بد, ډار, وېره, کرکه, نفرت, اندېښنه, اندېښمن, ناهیلی,
    بخښنه, ژړا, ناروغ`,
  ur: `خوش, خوشی, اچھا, اچھی, بہت اچھا, شکریہ, محبت, پیار, امید, سکون, اداس, ناراض, غصہ, غصے, غمگین, برا, بری, ڈر, خوف, نفرت, پریشان,
    پریشانی, مایوس, افسوس, معافی, رونا, بیمار`,
}

const intent = {
  en: `meeting, meet, plan, plans, bring, send, buy, sell, deliver, delivery, pay, payment, money, cash, transfer, price, deal, travel,
    border, hide, escape, secret`,
  ps: `غونډه, غونډې, لیدنه, پلان, راوړه, ولېږه, واخله, وپلوره, پیسې, روپۍ, تادیه, بیه, معامله, سفر, پوله, پټ, تېښته, راز`,
  ur: `ملاقات, ملنا, منصوبہ, لاؤ, بھیجو, خریدو, بیچو, پیسے, پیسہ, رقم, نقد, ادائیگی, قیمت, سودا, سفر, سرحد, چھپاؤ, فرار, راز`,
}

/**
 * The lists a reader has before making their own: English, Pashto and Urdu (audio-workflow specification, section 9). A hit is
 * a place to listen, never a verdict; words that occur in nearly every call (go, tomorrow, house) are left out, because they would mark everything.
 */
export const defaultKeywords: Keywords = {
  threats: splitWords(threats),
  sentiment: splitWords(sentiment),
  intent: splitWords(intent),
  custom: [],
}

/** Returns the user's lists, or the built-in ones where all four are empty (audio-workflow specification, section 9). */
export function keywordsInUse(own: Keywords): Keywords {
  return keywordCategories.some((category) => own[category].length > 0) ? own : defaultKeywords
}

function splitWords(lists: Record<string, string>): string[] {
  const words = Object.values(lists).flatMap((list) => list.split(','))
  return [...new Set(words.map((word) => word.trim()))]
}
