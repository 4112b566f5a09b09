package plan

import (
	"fmt"
	"slices"
	"strings"
)

const (
	surfacesMost   = 3 // of a part that is judged at once
	categoriesMost = 3
	oraclesMost    = 1
)

// arms checks that a scenario about a boundary or about fairness is in arms if it
// is about too much at once, and that its arms are about all of it.
func (c *checker) arms(s *Scenario, at place, categories []Category) {
	if len(s.Arms) == 0 {
		if slices.ContainsFunc(categories, Category.NeedsMatrix) {
			c.unsplit(s, at, categories)
		}
		return
	}
	if len(s.Arms) == 1 {
		c.warn(at.field("arms"), "one arm", "two or more", "take it out, or part the scenario")
	}
	for i := range s.Arms {
		a := &s.Arms[i]
		here := place{fmt.Sprintf("%s.arms.%d", at.path, i), a.ID}
		if silent(a.ID) {
			here.about = fmt.Sprintf("%s: arms %d", at.about, i+1)
		}
		c.arm(s, a, here)
	}
	c.leftOut(s, at)
}

// unsplit tells of a scenario that has no arms and has to.
func (c *checker) unsplit(s *Scenario, at place, categories []Category) {
	var why []string
	if s.Matrix != nil && len(s.Matrix.Surfaces.Items) > surfacesMost {
		why = append(why, count(len(s.Matrix.Surfaces.Items), "surface"))
	}
	if len(categories) > categoriesMost {
		why = append(why, fmt.Sprintf("%d categories of claims", len(categories)))
	}
	if len(s.Oracles.Items) > oraclesMost {
		why = append(why, count(len(s.Oracles.Items), "oracle"))
	}
	if len(why) > 0 {
		c.fail(at.field("arms"), "no arms, with "+strings.Join(why, ", "),
			fmt.Sprintf("arms, with at most %d surfaces, %d categories of claims and %d oracle in each", surfacesMost, categoriesMost, oraclesMost),
			"part the scenario into arms, as "+at.about+"/api")
	}
}

func (c *checker) arm(s *Scenario, a *Arm, at place) {
	if !silent(a.ID) && armShape.MatchString(a.ID) && !strings.HasPrefix(a.ID, s.ID+"/") {
		c.fail(at.field("id"), quote(a.ID), "an arm of "+s.ID+", as "+s.ID+"/api", "begin it with the scenario's id")
	}
	if a.Oracles.None != "" {
		c.handBack(at.field("oracle"), "none", "what decides for the arm: without it nothing is proven")
	}
	if n := len(a.Oracles.Items); n > oraclesMost {
		c.fail(at.field("oracle"), count(n, "oracle"), "one", "make an arm of each")
	}
	if n := len(a.Surfaces.Items); n > surfacesMost {
		c.fail(at.field("surfaces"), count(n, "surface"), fmt.Sprintf("%d at most", surfacesMost), "part the arm")
	}
	if categories := c.p.Categories(a.Claims); len(categories) > categoriesMost {
		c.fail(at.field("claims"), fmt.Sprintf("%d categories of claims", len(categories)), fmt.Sprintf("%d at most", categoriesMost), "part the arm")
	}
	for i, id := range a.Claims {
		if c.p.category(id) != "" && !slices.Contains(s.Claims, id) {
			c.fail(place{join(at.field("claims").path, fmt.Sprint(i)), at.field("claims").about}, quote(id), "a claim of the scenario: "+strings.Join(s.Claims, ", "), "add it to the scenario's claims, or take it out")
		}
	}
	driver := Written(a.Driver)
	if a.Target.Func != "" && driver != "" {
		c.fail(at.field("driver"), "a driver beside the test "+quote(a.Target.Func), "one of both", "take one out")
	}
	if driver == "" && a.Target.Func == "" {
		driver = Written(s.Driver)
	}
	c.faults(a.Faults, driver, at.field("faults"))
	c.parameters(a.Parameters.Items, at.field("parameters"))
}

// leftOut tells of claims and surfaces of a scenario that no arm is about.
func (c *checker) leftOut(s *Scenario, at place) {
	var claims, surfaces []string
	for _, a := range s.Arms {
		claims = append(claims, a.Claims...)
		surfaces = append(surfaces, a.Surfaces.Items...)
	}
	for _, id := range s.Claims {
		if !slices.Contains(claims, id) {
			c.fail(at.field("arms"), "no arm about the claim "+id, "one", "add the claim to an arm, or take it out of the scenario")
		}
	}
	if s.Matrix == nil {
		return
	}
	for _, surface := range s.Matrix.Surfaces.Items {
		if !slices.Contains(surfaces, surface) {
			c.fail(at.field("arms"), "no arm over the surface "+quote(surface), "one", "add the surface to an arm, or take it out of the matrix")
		}
	}
	for i, a := range s.Arms {
		for _, surface := range a.Surfaces.Items {
			if !slices.Contains(s.Matrix.Surfaces.Items, surface) {
				c.fail(place{fmt.Sprintf("%s.arms.%d.surfaces", at.path, i), a.ID + ": surfaces"}, quote(surface), "a surface of the matrix: "+strings.Join(s.Matrix.Surfaces.Items, ", "), "add it to the matrix, or take it out")
			}
		}
	}
}
