package toolchain
import ("testing";"context";"fmt")
func TestTmpMake(t *testing.T){ r,err:=Make(context.Background(),Config{}); fmt.Println(r.Dir); if err!=nil {t.Fatal(err)} }
