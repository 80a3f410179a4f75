/// Given names, family names and syllables with their Urdu writing, from which invented persons are named.
///
/// The words are common ones; who bears them is drawn at random. Half the names are made of syllables instead, so that a
/// reader that has learnt a list of names gains nothing.
enum NameParts {
  typealias Word = (latin: String, urdu: String)

  static let male: [Word] = [
    ("Muhammad", "محمد"), ("Ahmad", "احمد"), ("Ali", "علی"), ("Bilal", "بلال"), ("Danish", "دانش"), ("Ehsan", "احسان"),
    ("Fahad", "فہد"), ("Ghulam", "غلام"), ("Hamza", "حمزہ"), ("Haroon", "ہارون"), ("Imran", "عمران"),
    ("Jamshed", "جمشید"),
    ("Kamran", "کامران"), ("Khalid", "خالد"), ("Liaqat", "لیاقت"), ("Mansoor", "منصور"), ("Naveed", "نوید"),
    ("Nasir", "ناصر"),
    ("Osman", "عثمان"), ("Qasim", "قاسم"), ("Rashid", "راشد"), ("Rizwan", "رضوان"), ("Sajid", "ساجد"),
    ("Salman", "سلمان"),
    ("Shahid", "شاہد"), ("Tariq", "طارق"), ("Umar", "عمر"), ("Usama", "اسامہ"), ("Waqar", "وقار"), ("Yasir", "یاسر"),
    ("Zeeshan", "ذیشان"), ("Zubair", "زبیر"), ("Abdul", "عبدل"), ("Adnan", "عدنان"), ("Faisal", "فیصل"),
    ("Hassan", "حسن"),
    ("Hussain", "حسین"), ("Iqbal", "اقبال"), ("Junaid", "جنید"), ("Mustafa", "مصطفی"), ("Noman", "نعمان"),
    ("Wajahat", "وجاہت"),
    ("Ijaz", "اعجاز"), ("Illahi", "الہی"), ("Jalil", "جلیل"), ("Lal", "لال"), ("Fayyaz", "فیاض"), ("Ilyas", "الیاس"),
  ]
  static let female: [Word] = [
    ("Aaliya", "عالیہ"), ("Amna", "آمنہ"), ("Asma", "اسماء"), ("Ayesha", "عائشہ"), ("Bushra", "بشری"), ("Dua", "دعا"),
    ("Farah", "فرح"), ("Fatima", "فاطمہ"), ("Hajra", "ہاجرہ"), ("Hina", "حنا"), ("Iqra", "اقراء"),
    ("Javeria", "جویریہ"),
    ("Kanwal", "کنول"), ("Kiran", "کرن"), ("Lubna", "لبنی"), ("Maryam", "مریم"), ("Mehwish", "مہوش"),
    ("Nadia", "نادیہ"),
    ("Naila", "نائلہ"), ("Nimra", "نمرہ"), ("Quratulain", "قرۃ العین"), ("Rabia", "رابعہ"), ("Rubina", "روبینہ"),
    ("Saima", "صائمہ"), ("Sana", "ثناء"), ("Shazia", "شازیہ"), ("Sidra", "سدرہ"), ("Tahira", "طاہرہ"), ("Uzma", "عظمی"),
    ("Warda", "وردہ"), ("Yasmin", "یاسمین"), ("Zainab", "زینب"), ("Zara", "زارا"), ("Ilma", "علما"),
    ("Jawairia", "جویریہ"),
  ]
  static let family: [Word] = [
    ("Khan", "خان"), ("Abbasi", "عباسی"), ("Afridi", "آفریدی"), ("Akhtar", "اختر"), ("Anjum", "انجم"),
    ("Arshad", "ارشد"),
    ("Awan", "اعوان"), ("Baloch", "بلوچ"), ("Bhatti", "بھٹی"), ("Butt", "بٹ"), ("Chaudhry", "چوہدری"), ("Dar", "ڈار"),
    ("Gondal", "گوندل"), ("Hashmi", "ہاشمی"), ("Jatoi", "جتوئی"), ("Jillani", "جیلانی"), ("Kakar", "کاکڑ"),
    ("Khattak", "خٹک"),
    ("Lodhi", "لودھی"), ("Mahmood", "محمود"), ("Malik", "ملک"), ("Memon", "میمن"), ("Mirza", "مرزا"), ("Mughal", "مغل"),
    ("Niazi", "نیازی"), ("Paracha", "پراچہ"), ("Qureshi", "قریشی"), ("Raja", "راجہ"), ("Rehman", "رحمان"),
    ("Saeed", "سعید"),
    ("Shah", "شاہ"), ("Shaikh", "شیخ"), ("Siddiqui", "صدیقی"), ("Soomro", "سومرو"), ("Tareen", "ترین"),
    ("Ullah", "اللہ"),
    ("Wazir", "وزیر"), ("Yousafzai", "یوسفزئی"), ("Zaidi", "زیدی"), ("Zaman", "زمان"), ("Bibi", "بی بی"),
    ("Begum", "بیگم"),
  ]
  static let titles: [Word] = [
    ("Syed", "سید"), ("Hafiz", "حافظ"), ("Mian", "میاں"), ("Rana", "رانا"), ("Sardar", "سردار"), ("Mirza", "مرزا"),
    ("Syeda", "سیدہ"),
  ]
  static let joining: [Word] = [("ul", "ال"), ("ur", "الر"), ("bin", "بن"), ("ud Din", "الدین"), ("e", "")]

  static let syllables: [Word] = [
    ("ba", "با"), ("bi", "بی"), ("cha", "چا"), ("da", "دا"), ("di", "دی"), ("fa", "فا"), ("fi", "فی"), ("ga", "گا"),
    ("gi", "گی"),
    ("ha", "ہا"), ("hu", "ہو"), ("ja", "جا"), ("ji", "جی"), ("ka", "کا"), ("ki", "کی"), ("kha", "کھا"), ("la", "لا"),
    ("li", "لی"),
    ("lu", "لو"), ("ma", "ما"), ("mi", "می"), ("mu", "مو"), ("na", "نا"), ("ni", "نی"), ("nu", "نو"), ("pa", "پا"),
    ("qa", "قا"),
    ("ra", "را"), ("ri", "ری"), ("ru", "رو"), ("sa", "سا"), ("si", "سی"), ("sha", "شا"), ("ta", "تا"), ("ti", "تی"),
    ("va", "وا"),
    ("wa", "وا"), ("ya", "یا"), ("za", "زا"), ("zi", "زی"), ("zu", "زو"), ("gha", "غا"), ("il", "ل"), ("al", "ل"),
    ("ar", "ر"),
    ("em", "م"), ("een", "ین"), ("oor", "ور"), ("ish", "ش"), ("ud", "د"), ("af", "ف"), ("iq", "ق"), ("az", "ز"),
    ("at", "ت"),
  ]

  /// Countries of stay, as printed.
  static let countries = [
    "United Arab Emirates", "Saudi Arabia", "United Kingdom", "Oman", "Qatar", "Kuwait", "Bahrain", "Malaysia",
    "Canada",
    "Australia", "United States of America", "Germany", "France", "Italy", "Spain", "Norway", "Sweden", "Denmark",
    "Greece",
    "Turkey", "China", "Japan", "South Korea", "South Africa", "Ireland", "New Zealand", "Netherlands", "Belgium",
    "Portugal",
    "Austria", "Switzerland", "Hong Kong", "Singapore", "Thailand", "Iraq", "Jordan", "Kenya", "Cyprus", "Finland",
    "Poland",
  ]

  /// Towns and streets of invented addresses.
  static let places: [Word] = [
    ("Lahore", "لاہور"), ("Karachi", "کراچی"), ("Quetta", "کوئٹہ"), ("Peshawar", "پشاور"), ("Multan", "ملتان"),
    ("Sialkot", "سیالکوٹ"), ("Hyderabad", "حیدرآباد"), ("Gujrat", "گجرات"), ("Mardan", "مردان"), ("Sukkur", "سکھر"),
    ("Rawalpindi", "راولپنڈی"), ("Swat", "سوات"), ("Okara", "اوکاڑہ"), ("Jhang", "جھنگ"), ("Mirpur", "میرپور"),
  ]
  static let streets: [Word] = [
    ("Garden Town", "گارڈن ٹاؤن"), ("Model Colony", "ماڈل کالونی"), ("Canal Road", "کینال روڈ"),
    ("Station Road", "اسٹیشن روڈ"),
    ("New Bazaar", "نیا بازار"), ("Gulshan Block", "گلشن بلاک"), ("Railway Lines", "ریلوے لائنز"),
    ("Green View", "گرین ویو"),
  ]
}
