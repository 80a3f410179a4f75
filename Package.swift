// swift-tools-version: 6.2
import PackageDescription

// The directions of dependency are a promise (ARCHITECTURE.md): values know nothing, the pure reading rules know
// values, adapters know their C library and values, and only `CNICScan` and the command know concrete adapters.
// `make lint` builds with --explicit-target-dependency-import-check error, which holds every import to this file.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]
let strictC: [CSetting] = [.treatAllWarnings(as: .error)]

// OpenCV's core and imgproc come without a pkg-config file of their own in Debian (it is in the full libopencv-dev).
let openCVHeaders: [CXXSetting] = [.unsafeFlags(["-isystem", "/usr/include/opencv4"]), .treatAllWarnings(as: .error)]

let package = Package(
  name: "cnicscan",
  products: [
    .executable(name: "cnicscan", targets: ["cnicscan"]),
    .library(name: "CNICScan", targets: ["CNICScan"]),
  ],
  targets: [
    // The domain: values and pure rules. No C library, no file, no clock.
    // libm by name: without Foundation nothing else brings it in.
    .target(name: "CardModel", swiftSettings: strict, linkerSettings: [.linkedLibrary("m")]),
    .target(name: "CardReading", dependencies: ["CardModel"], swiftSettings: strict),
    .target(name: "FieldLocating", dependencies: ["CardModel"], swiftSettings: strict),

    // C libraries: module maps, and shims holding only what Swift cannot call.
    .systemLibrary(
      name: "VipsLibrary", path: "Sources/C/VipsLibrary", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
    .target(name: "CVips", dependencies: ["VipsLibrary"], path: "Sources/C/CVips", cSettings: strictC),
    .target(
      name: "COpenCV", path: "Sources/C/COpenCV", cxxSettings: openCVHeaders,
      linkerSettings: [.linkedLibrary("opencv_core"), .linkedLibrary("opencv_imgproc"), .linkedLibrary("m")]),
    .systemLibrary(
      name: "IsalLibrary", path: "Sources/C/IsalLibrary", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),
    .target(name: "CIsal", dependencies: ["IsalLibrary"], path: "Sources/C/CIsal", cSettings: strictC),
    .systemLibrary(
      name: "CTesseract", path: "Sources/C/CTesseract", pkgConfig: "tesseract",
      providers: [.apt(["libtesseract-dev", "libleptonica-dev"])]),
    .systemLibrary(
      name: "ZXingLibrary", path: "Sources/C/ZXingLibrary", pkgConfig: "zxing", providers: [.apt(["libzxing-dev"])]),
    .target(
      name: "CZXing", dependencies: ["ZXingLibrary"], path: "Sources/C/CZXing",
      cxxSettings: [.treatAllWarnings(as: .error)], linkerSettings: [.linkedLibrary("ZXing")]),
    .systemLibrary(name: "CZBar", path: "Sources/C/CZBar", pkgConfig: "zbar", providers: [.apt(["libzbar-dev"])]),
    .systemLibrary(
      name: "CSQLite", path: "Sources/C/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CCSV", path: "Sources/C/CCSV", providers: [.apt(["libcsv-dev"])]),
    .systemLibrary(
      name: "CGLib", path: "Sources/C/CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(
      name: "SeccompLibrary", path: "Sources/C/SeccompLibrary", pkgConfig: "libseccomp",
      providers: [.apt(["libseccomp-dev"])]),
    .target(name: "CProcess", dependencies: ["SeccompLibrary"], path: "Sources/C/CProcess", cSettings: strictC),
    .systemLibrary(
      name: "RsvgLibrary", path: "Sources/C/RsvgLibrary", pkgConfig: "librsvg-2.0", providers: [.apt(["librsvg2-dev"])]),
    // Optimised in debug builds too: tests draw many cards, and these loops touch every pixel.
    .target(
      name: "CSpecimens", dependencies: ["VipsLibrary", "RsvgLibrary"], path: "Sources/C/CSpecimens",
      cSettings: [.unsafeFlags(["-O2"])], linkerSettings: [.linkedLibrary("m"), .linkedLibrary("fontconfig")]),
    .systemLibrary(name: "CZint", path: "Sources/C/CZint", providers: [.apt(["libzint-dev"])]),

    // Adapters: one outside library each; they never import each other.
    .target(
      name: "Imaging", dependencies: ["CardModel", "ScanPipeline", "CVips", "COpenCV", "CIsal"],
      swiftSettings: strict),
    .target(name: "TextRecognition", dependencies: ["CardModel", "ScanPipeline", "CTesseract"], swiftSettings: strict),
    .target(
      name: "BarcodeDecoding", dependencies: ["CardModel", "ScanPipeline", "CZXing", "CZBar", "COpenCV"],
      swiftSettings: strict),

    // One pair, from files to events, over ports.
    .target(name: "ScanPipeline", dependencies: ["CardModel", "CardReading", "FieldLocating"], swiftSettings: strict),

    // Formats and the batch engine.
    .target(name: "RecordFormats", dependencies: ["CardModel", "ScanPipeline", "CCSV"], swiftSettings: strict),
    .target(
      name: "BatchRun", dependencies: ["CardModel", "ScanPipeline", "RecordFormats", "CSQLite", "CProcess"],
      swiftSettings: strict),
    .target(name: "Specimens", dependencies: ["CardModel", "CSpecimens", "CZint"], swiftSettings: strict),

    // The wiring and the faces.
    .target(
      name: "CNICScan",
      dependencies: [
        "CardModel", "CardReading", "ScanPipeline", "Imaging", "TextRecognition", "BarcodeDecoding", "RecordFormats",
        "CGLib",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "cnicscan",
      dependencies: [
        "CardModel", "CardReading", "ScanPipeline", "RecordFormats", "BatchRun", "Specimens", "CNICScan", "CGLib",
        "CProcess",
      ],
      swiftSettings: strict),

    // The library's face in use; a test runs it.
    .executableTarget(
      name: "scan-one-pair", dependencies: ["CNICScan", "CardModel"], path: "Examples/ScanOnePair",
      swiftSettings: strict),

    // What the calibration is fitted on (Tools/calibration).
    .executableTarget(
      name: "front-evidence",
      dependencies: ["CardModel", "CardReading", "ScanPipeline", "Imaging", "TextRecognition", "BarcodeDecoding"],
      path: "Tools/calibration/FrontEvidence", swiftSettings: strict),

    // Tests.
    .target(name: "TestSupport", dependencies: ["CardModel"], path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(name: "CardModelTests", dependencies: ["CardModel"], swiftSettings: strict),
    .testTarget(
      name: "CardReadingTests", dependencies: ["CardReading", "CardModel"], exclude: ["evidence.csv"],
      swiftSettings: strict),
    .testTarget(
      name: "FieldLocatingTests", dependencies: ["FieldLocating", "CardModel", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ImagingTests",
      dependencies: ["Imaging", "COpenCV", "CardModel", "ScanPipeline", "Specimens", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "TextRecognitionTests",
      dependencies: ["TextRecognition", "CardModel", "ScanPipeline", "Specimens", "Imaging", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "BarcodeDecodingTests",
      dependencies: [
        "BarcodeDecoding", "CardModel", "CardReading", "ScanPipeline", "Specimens", "Imaging", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ScanPipelineTests", dependencies: ["ScanPipeline", "CardModel", "CardReading", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "RecordFormatsTests", dependencies: ["RecordFormats", "CardModel", "ScanPipeline", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "BatchRunTests",
      dependencies: [
        "BatchRun", "RecordFormats", "CardModel", "ScanPipeline", "TestSupport", "BatchHarness", "cnicscan",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "BatchHarness", dependencies: ["BatchRun", "CardModel", "CProcess"], path: "Tests/Torture/Harness",
      swiftSettings: strict),
    .testTarget(
      name: "SpecimensTests",
      dependencies: ["Specimens", "CardModel", "BarcodeDecoding", "ScanPipeline", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CNICScanTests",
      dependencies: [
        "CNICScan", "CardModel", "CardReading", "ScanPipeline", "Specimens", "TestSupport", "scan-one-pair",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests", dependencies: ["cnicscan", "CardModel", "RecordFormats", "TestSupport"],
      swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)
