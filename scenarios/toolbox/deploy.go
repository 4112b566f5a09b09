package toolbox

import (
	"path"
	"slices"
	"strings"
)

func isYAML(f *file) bool { return f.ext() == ".yml" || f.ext() == ".yaml" }

func isCompose(f *file) bool {
	return isYAML(f) && (strings.HasPrefix(f.base(), "docker-compose") || strings.HasPrefix(f.base(), "compose.") || strings.HasPrefix(f.base(), "compose-"))
}

func composeTools(f *file) []Tool {
	t := Tool{Kind: KindCompose, Path: f.path, Argv: []string{"docker", "compose", "-f", f.path, "up", "-d"}, Note: "not read"}
	if doc, err := parseYAML(f); err == nil {
		t.Note = "services: " + names(doc["services"])
		if len(fields(doc["services"])) == 0 {
			t.Note = "no services"
		}
	}
	return []Tool{t}
}

func isImage(f *file) bool {
	for _, name := range []string{"Dockerfile", "Containerfile"} {
		if f.base() == name || strings.HasPrefix(f.base(), name+".") || f.ext() == "."+name || f.ext() == "."+strings.ToLower(name) {
			return true
		}
	}
	return false
}

// imageTools builds in the file's folder, which is what most of them are written for.
func imageTools(f *file) []Tool {
	return []Tool{{Kind: KindImage, Path: f.path, Argv: []string{"docker", "build", "-f", f.path, f.dir()}}}
}

func isCluster(f *file) bool { return clusterCall(f) != nil }

func clusterTools(f *file) []Tool {
	return []Tool{{Kind: KindCluster, Path: f.path, Argv: clusterCall(f)}}
}

// clusterCall is how a file of a cluster is brought up; nil of another file.
func clusterCall(f *file) []string {
	switch f.base() {
	case "Chart.yaml":
		return []string{"helm", "install", releaseName(f), "./" + f.dir()}
	case "kustomization.yaml", "kustomization.yml":
		return []string{"kubectl", "apply", "-k", f.dir()}
	case "Vagrantfile":
		if f.dir() == "." {
			return []string{"vagrant", "up"}
		}
		return []string{"env", "VAGRANT_CWD=" + f.dir(), "vagrant", "up"}
	case "Tiltfile":
		return []string{"tilt", "up", "-f", f.path}
	case "skaffold.yaml":
		return []string{"skaffold", "run", "-f", f.path}
	}
	return nil
}

// releaseName is what a chart is installed as.
func releaseName(f *file) string {
	if f.dir() == "." {
		return "app"
	}
	return path.Base(f.dir())
}

// ciNames are the files by which systems of CI are known, by where they are; a name
// that ends in a slash is a folder with such files.
var ciNames = []string{
	".gitlab-ci.yml", "Jenkinsfile", ".travis.yml", ".drone.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml",
	"appveyor.yml", ".appveyor.yml", ".cirrus.yml", ".woodpecker.yml", ".prow.yaml",
	".github/workflows/", ".gitea/workflows/", ".forgejo/workflows/", ".circleci/", ".buildkite/", ".builds/", ".semaphore/", ".woodpecker/", ".tekton/",
}

func isCI(f *file) bool {
	return slices.Contains(ciNames, f.path) || slices.Contains(ciNames, f.dir()+"/") && isYAML(f) || strings.HasPrefix(f.base(), "Jenkinsfile")
}

func ciTools(f *file) []Tool {
	t := Tool{Kind: KindCI, Path: f.path}
	if !isYAML(f) {
		return []Tool{t}
	}
	doc, err := parseYAML(f)
	if err != nil {
		t.Note = "not read"
		return []Tool{t}
	}
	t.Name, _ = doc["name"].(string)
	jobs := doc["jobs"]
	if f.base() == ".gitlab-ci.yml" {
		jobs = scripted(doc)
	}
	if list := names(jobs); list != "" {
		t.Note = "jobs: " + list
	}
	return []Tool{t}
}

// scripted are the fields of a GitLab definition that are jobs, and no templates.
func scripted(doc map[string]any) map[string]any {
	jobs := map[string]any{}
	for name, v := range doc {
		if _, ok := fields(v)["script"]; ok && !strings.HasPrefix(name, ".") {
			jobs[name] = v
		}
	}
	return jobs
}
