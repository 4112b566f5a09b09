package toolbox

import "strings"

// isForeignTests knows tests of other languages.
func isForeignTests(f *file) bool { return foreignCall(f) != nil }

func foreignTests(f *file) []Tool {
	return []Tool{{Kind: KindTest, Path: f.path, Argv: foreignCall(f)}}
}

// foreignCall is how the tests of a file, or those that a build's file is for, are run.
func foreignCall(f *file) []string {
	switch f.base() {
	case "Cargo.toml":
		return []string{"cargo", "test", "--manifest-path", f.path}
	case "pom.xml":
		return []string{"mvn", "-f", f.path, "test"}
	case "build.gradle", "build.gradle.kts":
		return []string{"gradle", "-p", f.dir(), "test"}
	}
	if f.ext() == ".py" && (strings.HasPrefix(f.base(), "test_") || strings.HasSuffix(f.base(), "_test.py")) {
		return []string{"python3", "-m", "pytest", f.path}
	}
	return nil
}
