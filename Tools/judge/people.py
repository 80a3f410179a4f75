"""Made-up people and their documents. Nothing here describes anyone: names are shuffled from common given names and
invented syllables, numbers are random digits."""

import datetime
import random

NAMES = {
    "Aamir": "عامر", "Adnan": "عدنان", "Afzal": "افضل", "Ajmal": "اجمل", "Ali": "علی", "Anees": "انیس", "Arshad": "ارشد",
    "Asad": "اسد", "Ashraf": "اشرف", "Asif": "آصف", "Azhar": "اظہر", "Babar": "بابر", "Bilal": "بلال", "Dawood": "داؤد",
    "Ejaz": "اعجاز", "Faisal": "فیصل", "Faizan": "فیضان", "Farhan": "فرحان", "Gulfam": "گلفام", "Hamza": "حمزہ",
    "Hassan": "حسن", "Hussain": "حسین", "Ibrahim": "ابراہیم", "Imran": "عمران", "Irfan": "عرفان", "Jahangir": "جہانگیر",
    "Jawad": "جواد", "Kamran": "کامران", "Kashif": "کاشف", "Khalid": "خالد", "Liaquat": "لیاقت", "Luqman": "لقمان",
    "Mahmood": "محمود", "Moazzam": "معظم", "Muhammad": "محمد", "Mustafa": "مصطفیٰ", "Nadeem": "ندیم", "Naveed": "نوید",
    "Noman": "نعمان", "Owais": "اویس", "Pervaiz": "پرویز", "Qaiser": "قیصر", "Rashid": "راشد", "Rizwan": "رضوان",
    "Saad": "سعد", "Sajjad": "سجاد", "Salman": "سلمان", "Shahid": "شاہد", "Sher": "شیر", "Tariq": "طارق", "Umair": "عمیر",
    "Usman": "عثمان", "Waqar": "وقار", "Waseem": "وسیم", "Yasir": "یاسر", "Zeeshan": "ذیشان", "Zia": "ضیا",
}
FEMALE = {
    "Aasia": "آسیہ", "Afshan": "افشاں", "Alina": "علینہ", "Ambreen": "عنبرین", "Areeba": "اریبہ", "Asifa": "آصفہ",
    "Benazir": "بینظیر", "Durdana": "دردانہ", "Farzana": "فرزانہ", "Gulnaz": "گلناز", "Hafsa": "حفصہ", "Huma": "ہما",
    "Ifrah": "افرا", "Javeria": "جویریہ", "Komal": "کومل", "Mahnoor": "ماہ نور", "Mehreen": "مہرین", "Nadia": "نادیہ",
    "Noreen": "نورین", "Palwasha": "پلوشہ", "Qurat": "قرۃ", "Robina": "روبینہ", "Sanam": "صنم", "Shabana": "شبانہ",
    "Tahmina": "تہمینہ", "Urooj": "عروج", "Wajiha": "وجیہہ", "Zarina": "زرینہ", "Zubaida": "زبیدہ",
}
LAST = {
    "Achakzai": "اچکزئی", "Ahmed": "احمد", "Barlas": "برلاس", "Bugti": "بگٹی", "Cheema": "چیمہ", "Dogar": "ڈوگر",
    "Gujjar": "گجر", "Haider": "حیدر", "Iqbal": "اقبال", "Javed": "جاوید", "Jutt": "جٹ", "Kasuri": "قصوری", "Khan": "خان",
    "Kiani": "کیانی", "Langove": "لانگو", "Mahar": "مہر", "Mazari": "مزاری", "Nizamani": "نظامانی", "Panhwar": "پنہور",
    "Raza": "رضا", "Saleem": "سلیم", "Shah": "شاہ", "Sheikh": "شیخ", "Talpur": "تالپور", "Ullah": "اللہ", "Wattoo": "وٹو",
    "Yousuf": "یوسف", "Zehri": "زہری",
}
SYLLABLES = (
    "ba be bo da dhi dur fa far fi gu gul ha hee jan je ji ka kha ko la lo mah mee mi mo na nee noo pa par qa ra ree ro "
    "sa see sha shi so ta tau to va wa wi ya yu zai zo".split())
LETTERS = "ابتجحدرزسشعغفقکلمنوہی"
COUNTRIES = [
    "Saudi Arabia", "United Arab Emirates", "United Kingdom", "Canada", "Germany", "Oman", "Qatar", "Kuwait", "Bahrain",
    "Malaysia", "Australia", "Italy", "Spain", "South Africa", "United States of America", "Hong Kong", "Norway", "Turkey"]
CITIES = ["Bradford", "Sharjah", "Dammam", "Toronto", "Muscat", "Hamburg", "Brescia", "Drammen"]


def invented(r):
    """A word no list holds, with some Urdu letters for it."""
    word = "".join(r.choice(SYLLABLES) for _ in range(r.randint(2, 3))) + r.choice(["", "n", "r", "d", "sh", "m", ""])
    return word.capitalize(), "".join(r.choice(LETTERS) for _ in range(max(3, len(word) // 2 + 1)))


def full_name(r, female):
    """A name as (Latin, Urdu); one word to five, sometimes repeated, joined or with a particle."""
    given = FEMALE if female else NAMES
    pick = lambda table: r.choice(sorted(table.items()))
    shape = r.random()
    if shape < .06:
        words = [pick(given)]
    elif shape < .10:
        w = pick(given)
        words = [w, w]
    elif shape < .15:
        words = [pick(NAMES), (r.choice(["ur", "ul", "bin", "Ud"]), "ال"), r.choice([("Rehman", "رحمٰن"), ("Haq", "حق"), ("Din", "دین"), ("Islam", "اسلام")])]
    elif shape < .24:
        words = [r.choice([("Syed", "سید"), ("Sardar", "سردار"), ("Malik", "ملک"), ("Hafiz", "حافظ"), ("Chaudhary", "چودھری")]),
                 pick(given), pick(NAMES), pick(LAST)]
        if r.random() < .35:
            words.insert(2, pick(NAMES))
    elif shape < .45:
        words = [pick(given), invented(r)]
    elif shape < .60:
        words = [invented(r), pick(LAST)]
    else:
        words = [pick(given), pick(NAMES) if r.random() < .4 else pick(LAST)]
        if r.random() < .35:
            words.append(pick(LAST))
    latin = " ".join(w[0] for w in words)
    if r.random() < .015 and len(words) >= 2:
        latin = latin.replace(" ", "-", 1)
    return latin, " ".join(w[1] for w in words)


def number_for(r, gender):
    last = {"M": "13579", "F": "2468"}.get(gender, "123456789")
    return "".join([r.choice("12345678")] + [r.choice("0123456789") for _ in range(11)] + [r.choice(last)])


def dashed(number):
    return f"{number[:5]}-{number[5:12]}-{number[12]}"


def some_date(r, first, last):
    return first + datetime.timedelta(days=r.randrange((last - first).days))


def person(r, old):
    """One made-up holder: a dictionary of everything that can be printed."""
    day = datetime.date
    gender = "X" if r.random() < .04 else r.choice("MF")
    birth = some_date(r, day(1938, 1, 1), day(2006, 1, 1))
    issue = some_date(r, day(2002, 1, 1), day(2013, 1, 1)) if old else some_date(r, day(2013, 1, 1), day(2026, 6, 1))
    lifetime = r.random() < (.15 if old else .09)
    years = r.choice([10, 10, 10, 7, 5, 15])
    try:
        expiry = issue.replace(year=issue.year + years)
    except ValueError:
        expiry = issue.replace(year=issue.year + years, day=28)
    if r.random() < .3:
        expiry -= datetime.timedelta(days=1)
    female = gender == "F"
    name, urdu_name = full_name(r, female)
    parent, urdu_parent = full_name(r, False)
    if r.random() < .13:
        name, parent = name.upper(), parent.upper()
    relation = r.choice(["Husband Name", "Husband's Name"]) if female and r.random() < .35 else r.choice(
        ["Father Name", "Father Name", "Father's Name"])
    overseas = not old and r.random() < .17
    country = r.choice(COUNTRIES) if overseas or r.random() < .06 else "Pakistan"
    return dict(
        name=name, urduName=urdu_name, fatherName=parent, urduFatherName=urdu_parent, relationLabel=relation, gender=gender,
        country=country, number=number_for(r, gender), family="".join(r.choice("ABCDEFGHJKLMNPQRSTUVWXYZ0123456789") for _ in range(6)),
        birth=birth, issue=issue, expiry=None if lifetime else expiry, lifetime=lifetime, overseas=overseas, old=old,
        uppercase=name.isupper())


def dots(date):
    return date.strftime("%d.%m.%Y")


def slashes(date):
    return date.strftime("%d/%m/%Y")
