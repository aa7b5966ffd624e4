package experiments
import ("testing";"fmt";"os";"context";"time";"strconv";"strings")
func TestProbe(t *testing.T){
 if os.Getenv("PROBE")=="" {t.Skip()}
 jobs,_:=strconv.Atoi(os.Getenv("JOBS")); if jobs==0 {jobs=1000}
 reps,_:=strconv.Atoi(os.Getenv("REPS")); if reps==0 {reps=1}
 cut:=os.Getenv("CUT")
 var sim Simulator
 for _,p:=range strings.Split(os.Getenv("PROBE"),",") {
 allocs:="random mbs paging:0 paging:1 paging:2 paging:3 first-fit"
 if a:=os.Getenv("ALLOCS"); a!="" {allocs=a}
 for _,a:=range strings.Fields(allocs) {
  s:=DefaultSpec()
  s.Network.RoutingCycles,s.Network.FlitCycles,s.Network.BufferFlits=4,3,1
  s.Workload.Jobs=jobs; s.Workload.Side.Min=2; s.Workload.Side.Max=16; s.Workload.Interarrival.Mean=0.1
  if p=="fft"||p=="multigrid" {s.Workload.Side.Round="down"}
  s.Job.Pattern=p; if cut!="" {s.Job.Cut=cut}
  n,pg,_:=strings.Cut(a,":"); s.Allocator.Name=n; if pg!="" {s.Allocator.Page,_=strconv.Atoi(pg)}
  st:=time.Now()
  var sum [6]float64
  for i:=range reps {
  r,err:=sim.Run(context.Background(),s,i,nil); if err!=nil {t.Fatal(err)}
  for k,m:=range []string{"finish_time","packet_blocking_time","network_latency","weighted_dispersal","flit_hops","mean_hops"} { v,_:=r.Value(m); sum[k]+=v/float64(reps)}
  }
  fmt.Printf("%-12s %-10s",p,a); for _,v:=range sum {fmt.Printf(" %14.2f",v)}
  d:=time.Since(st).Seconds()
  fmt.Printf("  %.1fs %.1f ns/fh\n",d,d*1e9/sum[4]/float64(reps))
 }}
}
